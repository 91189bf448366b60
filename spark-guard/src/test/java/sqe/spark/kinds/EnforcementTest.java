package sqe.spark.kinds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import sqe.spark.kinds.Enforcement.Exemption;

/** Exemptions from the rules: each for its work, and for nothing after or beside it. */
class EnforcementTest {
  private static Set<Exemption> now() {
    Set<Exemption> exempt = EnumSet.noneOf(Exemption.class);
    for (Exemption each : Exemption.values()) {
      if (Enforcement.isExempt(each)) {
        exempt.add(each);
      }
    }
    return exempt;
  }

  @Test
  void everyRuleHoldsByDefault() {
    assertEquals(Set.of(), now());
  }

  @ParameterizedTest
  @EnumSource
  void anExemptionHoldsDuringItsWorkAndForNoOtherReason(Exemption exemption) {
    assertEquals(Set.of(exemption), Enforcement.exempt(exemption, EnforcementTest::now));
    assertEquals(Set.of(), now());
  }

  @ParameterizedTest
  @EnumSource
  void anExemptionEndsWithAFailure(Exemption exemption) {
    assertThrows(
        IllegalStateException.class,
        () ->
            Enforcement.exempt(
                exemption,
                () -> {
                  throw new IllegalStateException();
                }));
    assertEquals(Set.of(), now());
  }

  @ParameterizedTest
  @EnumSource
  void anInnerExemptionEndsBeforeTheOuter(Exemption inner) {
    Enforcement.exempt(
        Exemption.POLICY_TEXT,
        () -> {
          assertEquals(EnumSet.of(Exemption.POLICY_TEXT, inner), Enforcement.exempt(inner, EnforcementTest::now));
          assertEquals(Set.of(Exemption.POLICY_TEXT), now());
          return null;
        });
  }

  @ParameterizedTest
  @EnumSource
  void onlyThatOfAProcedurePassesToThreadsThatTheWorkStarts(Exemption exemption) throws Exception {
    CompletableFuture<Set<Exemption>> seen = new CompletableFuture<>();
    Enforcement.exempt(
        exemption,
        () -> {
          new Thread(() -> seen.complete(now())).start();
          return seen.join();
        });
    assertEquals(exemption == Exemption.PROCEDURE ? Set.of(Exemption.PROCEDURE) : Set.of(), seen.get());
  }

  @Test
  void aThreadThatRemainsIsNotExemptWhenTheProcedureHasEnded() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    CompletableFuture<Boolean> before = new CompletableFuture<>();
    CompletableFuture<Boolean> after = new CompletableFuture<>();
    Procedures.run(
        () -> {
          new Thread(
                  () -> {
                    before.complete(Procedures.running());
                    try {
                      ended.await();
                    } catch (InterruptedException stopped) {
                      Thread.currentThread().interrupt();
                    }
                    after.complete(Procedures.running());
                  })
              .start();
          return before.join();
        });
    ended.countDown();
    assertTrue(before.get());
    assertFalse(after.get());
  }

  @Test
  void anotherThreadIsNotExempt() throws Exception {
    CompletableFuture<Set<Exemption>> seen = new CompletableFuture<>();
    CountDownLatch go = new CountDownLatch(1);
    Thread other =
        new Thread(
            () -> {
              try {
                go.await();
              } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
              }
              seen.complete(now());
            });
    other.start();
    Procedures.run(
        () -> {
          go.countDown();
          return seen.join();
        });
    assertEquals(Set.of(), seen.get());
  }
}
