package sqe.spark.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Answers of the gateway are used while they are fresh, and longer only while the gateway does not answer. */
class RecentTest {
  private static final long HOUR = 3_600_000_000_000L;

  private final AtomicInteger fetched = new AtomicInteger();
  private Recent<Integer> recent;

  @BeforeEach
  void begin() {
    recent = new Recent<>();
  }

  private Supplier<Recent.Timed<Integer>> lasting(long until, long end) {
    long now = System.nanoTime();
    return () -> new Recent.Timed<>(fetched.incrementAndGet(), now + until, now + end);
  }

  private static Recent.Timed<Integer> silent() {
    throw new ProviderSilentException("the gateway is silent");
  }

  @Test
  void aFreshValueIsFetchedOnce() {
    assertEquals(1, recent.get("k", lasting(HOUR, HOUR)));
    assertEquals(1, recent.get("k", lasting(HOUR, HOUR)));
    assertEquals(2, recent.get("other", lasting(HOUR, HOUR)));
  }

  @Test
  void anOldValueIsFetchedAgain() {
    assertEquals(1, recent.get("k", lasting(-1, HOUR)));
    assertEquals(2, recent.get("k", lasting(HOUR, HOUR)));
  }

  @Test
  void anOldValueServesUntilItsEndWhileTheGatewayIsSilent() {
    recent.get("k", lasting(-1, HOUR));
    assertEquals(1, recent.get("k", RecentTest::silent));
  }

  @Test
  void afterItsEndNothingServes() {
    recent.get("k", lasting(-1, -1));
    assertThrows(ProviderSilentException.class, () -> recent.get("k", RecentTest::silent));
  }

  @Test
  void aRefusalIsNeverCoveredByAnOldValue() {
    recent.get("k", lasting(-1, HOUR));
    assertThrows(
        LoginEndedException.class,
        () ->
            recent.get(
                "k",
                () -> {
                  throw new LoginEndedException("the login has ended");
                }));
  }

  @Test
  void whatBelongsToASessionIsForgottenWithIt() {
    recent.get("one a", lasting(HOUR, HOUR));
    recent.get("one b", lasting(HOUR, HOUR));
    recent.get("two a", lasting(HOUR, HOUR));
    recent.forget("one ");
    assertEquals(3, recent.get("two a", lasting(HOUR, HOUR)));
    assertEquals(4, recent.get("one a", lasting(HOUR, HOUR)));
  }
}
