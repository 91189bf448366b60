package sqe.spark.isolation;

import sqe.spark.kinds.Refusal;

/** Ends a statement that would take the memory of all others. */
public final class QueryMemory extends Refusal {
  static final String CONDITION = "SQE_QUERY_MEMORY";
  static final String WORDS =
      "The query used too much memory. Read fewer rows or columns, make its groups smaller, or raise engine.memory.";

  QueryMemory() {
    super(CONDITION, "53200", WORDS);
  }
}
