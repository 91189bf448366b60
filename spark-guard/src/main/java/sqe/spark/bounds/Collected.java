package sqe.spark.bounds;

/** Counts what the functions with a lambda function that this thread evaluates have made so far, the innermost first. */
final class Collected {
  private static final ThreadLocal<Collected> CURRENT = new ThreadLocal<>();

  /** No statement nests them so deep: what is left of rows that failed. */
  private static final int DEEPEST = 1_000;

  private final Collected outer;
  private final int depth;
  private final String function;
  private long bytes;

  private Collected(Collected outer, String function) {
    this.outer = outer;
    this.depth = outer == null ? 0 : outer.depth + 1;
    this.function = function;
  }

  static void begin(String function) {
    Collected current = CURRENT.get();
    CURRENT.set(new Collected(current == null || current.depth > DEEPEST ? null : current, function));
  }

  static void end() {
    Collected current = CURRENT.get();
    CURRENT.set(current == null ? null : current.outer);
  }

  static void add(Object value) {
    Collected current = CURRENT.get();
    if (current != null && !current.function.isEmpty()) {
      current.bytes += Allocation.sizeOf(value);
      Allocation.array(current.function, current.bytes);
    }
  }
}
