package sqe.spark.request;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Proofs of the gateway's requests. */
class RequestKeyTest {
  private static final String SECRET = "the engine's secret";

  @BeforeEach
  void tell() {
    RequestKey.set(SECRET.getBytes(StandardCharsets.US_ASCII));
  }

  private static String proof(String secret, String text) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
    return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void theProofIsAnHmacOverPurposeSessionNameAndArgument() throws Exception {
    assertTrue(RequestKey.proves(proof(SECRET, "sqe request\ns\nname\nargument"), "s", "name", "argument"));
    assertTrue(RequestKey.proves(proof(SECRET, "sqe request\ns\nname\nä\nb"), "s", "name", "ä\nb"));
  }

  @ParameterizedTest
  @CsvSource({"other, name, argument", "s, other, argument", "s, name, other", "s, name, ''"})
  void theProofOfOneRequestProvesNoOther(String session, String name, String argument) throws Exception {
    assertFalse(RequestKey.proves(proof(SECRET, "sqe request\ns\nname\nargument"), session, name, argument));
  }

  @Test
  void anotherSecretPurposeOrSpellingProvesNothing() throws Exception {
    String text = "sqe request\ns\nname\nargument";
    assertFalse(RequestKey.proves(proof("another secret", text), "s", "name", "argument"));
    assertFalse(RequestKey.proves(proof(SECRET, "sqe handle\ns\nname\nargument"), "s", "name", "argument"));
    assertFalse(RequestKey.proves(proof(SECRET, text).toUpperCase(), "s", "name", "argument"));
    assertFalse(RequestKey.proves(proof(SECRET, text).substring(1), "s", "name", "argument"));
    assertFalse(RequestKey.proves("", "s", "name", "argument"));
    assertFalse(RequestKey.proves("é", "s", "name", "argument"));
  }

  @Test
  void aNewSecretEndsTheProofsOfTheOld() throws Exception {
    String proof = proof(SECRET, "sqe request\ns\nname\nargument");
    RequestKey.set("the next secret".getBytes(StandardCharsets.US_ASCII));
    assertFalse(RequestKey.proves(proof, "s", "name", "argument"));
  }
}
