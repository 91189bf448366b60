package sqe.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The introduction on standard input: what an engine that is told nothing takes for granted is the stricter side. */
class IntroductionTest {
  private static Introduction read(String text) throws IOException {
    return Introduction.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)));
  }

  @ParameterizedTest
  @CsvSource({
    "'', true, false",
    "'locked=true\n', true, false",
    "'locked=false\n', false, false",
    "'locked=false\nguarded=true\n', true, true",
    "'guarded=yes\nlocked=no\n', false, false",
  })
  void anEngineIsLockedUnlessItIsToldOtherwiseAndAlwaysWhenItIsGuarded(String lines, boolean locked, boolean guarded)
      throws IOException {
    Introduction introduction = read(lines + "\n");
    assertEquals(locked, introduction.locked());
    assertEquals(guarded, introduction.guarded());
  }

  @Test
  void theFirstEqualsSignEndsTheKey() throws IOException {
    Introduction introduction = read("request.secret=a=b==\nguard.mask_key=AAEC\nguard.timeout=1500\n\nrest");
    assertArrayEquals("a=b==".getBytes(StandardCharsets.US_ASCII), introduction.requestSecret().orElseThrow());
    assertArrayEquals(new byte[] {0, 1, 2}, introduction.maskKey().orElseThrow());
    assertEquals(Duration.ofMillis(1500), introduction.policyTimeout());
  }

  @Test
  void whatIsNotSaidIsNotThere() throws IOException {
    Introduction introduction = read("\n");
    assertTrue(introduction.requestSecret().isEmpty());
    assertTrue(introduction.maskKey().isEmpty());
    assertEquals(null, introduction.policyTimeout());
  }

  @ParameterizedTest
  @ValueSource(strings = {"secret\n\n", "=secret\n\n"})
  void aLineWithoutAKeyIsRefusedAndNotQuoted(String text) {
    IOException refused = assertThrows(IOException.class, () -> read(text));
    assertFalse(refused.getMessage().contains("secret"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "locked=true", "locked=true\n"})
  void anIntroductionThatEndsEarlyIsRefused(String text) {
    assertThrows(EOFException.class, () -> read(text));
  }

  @Test
  void whatFollowsTheEmptyLineIsNotRead() throws IOException {
    ByteArrayInputStream input = new ByteArrayInputStream("a=b\n\nrest".getBytes(StandardCharsets.US_ASCII));
    Introduction.read(input);
    assertEquals("rest", new String(input.readAllBytes(), StandardCharsets.US_ASCII));
  }

  @Test
  void theLengthIsLimited() {
    assertThrows(IOException.class, () -> read("a=" + "x".repeat(1 << 18) + "\n\n"));
    assertThrows(IOException.class, () -> read("k=1234567\n".repeat(1 << 15) + "\n"));
  }

  @ParameterizedTest
  @CsvSource({
    "plain, '\"plain\"'",
    "'a\"b\\c', '\"a\\\"b\\\\c\"'",
    "'a\tb', '\"a\\u0009b\"'",
    "é, '\"\\u00e9\"'",
  })
  void textInAnEventIsOneLineOfAscii(String text, String json) {
    assertEquals(json, Events.quote(text));
  }

  @Test
  void aFailureNamesItsFirstCause() {
    Throwable failure = new IllegalStateException("outer", new IOException("no such port"));
    assertEquals("{\"event\":\"failed\",\"error\":\"java.io.IOException: no such port\"}", Events.failed(failure));
    assertEquals("{\"event\":\"ready\",\"port\":4711}", Events.ready(4711));
  }
}
