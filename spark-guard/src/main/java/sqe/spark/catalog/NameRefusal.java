package sqe.spark.catalog;

import sqe.spark.kinds.Refusal;

/** A name that nothing can get: it is not valid, or something has it. */
final class NameRefusal extends Refusal {
  private NameRefusal(String condition, String state, String message) {
    super(condition, state, message);
  }

  static NameRefusal invalid(String name, String fault) {
    return new NameRefusal("SQE_INVALID_NAME", "42602", "The name '" + name + "' is not valid: " + fault + ".");
  }

  /** Spark's own condition, where its exception cannot be thrown. */
  static NameRefusal taken(String name) {
    return new NameRefusal(
        "TABLE_OR_VIEW_ALREADY_EXISTS", "42P07", "Cannot create " + name + " because it already exists.");
  }
}
