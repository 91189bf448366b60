package sqe.spark.isolation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The estimate of how much of the heap each task holds. */
class MemorySharesTest {
  private static final long MB = 1L << 20;

  private MemoryShares<String> shares;

  @BeforeEach
  void begin() {
    shares = new MemoryShares<>();
  }

  @Test
  void aTaskThatIsNotKnownHoldsNothing() {
    assertEquals(0, shares.of("a"));
  }

  @Test
  void halfOfWhatIsNewIsHeldToStay() {
    shares.allocated("a", 64 * MB);
    assertEquals(32 * MB, shares.of("a"));
  }

  @Test
  void theGrowthOfTheHeapIsDividedByWhatEachHasAllocated() {
    shares.allocated("a", 300 * MB);
    shares.allocated("b", 100 * MB);
    shares.collected(0, 200 * MB);
    assertEquals(150 * MB, shares.of("a"), MB);
    assertEquals(50 * MB, shares.of("b"), MB);
  }

  @Test
  void aTaskHoldsNoMoreThanItHasAllocated() {
    shares.allocated("a", 10 * MB);
    shares.collected(0, 900 * MB);
    assertEquals(10 * MB, shares.of("a"));
  }

  @Test
  void aTaskThatMakesGarbageIsHeldToKeepLessTheNextTime() {
    for (int round = 0; round < 5; round++) {
      shares.allocated("garbage", 500 * MB);
      shares.collected(100 * MB, 100 * MB);
    }
    shares.allocated("keeps", 100 * MB);
    shares.collected(100 * MB, 200 * MB);
    shares.allocated("garbage", 100 * MB);
    shares.allocated("keeps", 100 * MB);
    assertTrue(shares.of("keeps") > 10 * shares.of("garbage"), shares.of("keeps") + " " + shares.of("garbage"));
  }

  @Test
  void aSmallerHeapMakesAllSharesSmaller() {
    shares.allocated("a", 200 * MB);
    shares.collected(0, 200 * MB);
    shares.collected(200 * MB, 50 * MB);
    assertEquals(50 * MB, shares.of("a"), MB);
  }

  @Test
  void sharesDoNotChangeWithoutAGrowthOrAllocations() {
    shares.allocated("a", 100 * MB);
    shares.collected(0, 60 * MB);
    long before = shares.of("a");
    shares.collected(60 * MB, 60 * MB);
    shares.collected(60 * MB, 90 * MB); // of something that is no task
    assertEquals(before, shares.of("a"));
  }

  @Test
  void aTaskThatHasEndedIsForgotten() {
    shares.allocated("a", 100 * MB);
    shares.allocated("b", 100 * MB);
    shares.retain(List.of("b"));
    assertEquals(0, shares.of("a"));
    assertEquals(50 * MB, shares.of("b"), MB);
  }
}
