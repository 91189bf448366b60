package sqe.spark.guard;

/** A table with the decisions that were made about it when it was loaded, for one session and one statement. */
interface Guarded {
  Question.Resource resource();

  /** The UUID of the session whose person may. */
  String session();

  /** Null if it was not asked. It may be a refusal. */
  Decision decision(String operation);

  /** What is decided about the operation now. */
  Decision ask(String operation);

  /** Returns only if the operation was allowed when the table was loaded. */
  default Decision allowed(String operation) {
    Decision decision = decision(operation);
    if (decision == null) {
      throw GuardRefusal.unguarded(resource().toString());
    }
    return decision.orRefusal();
  }

  /** Returns only if the operation is allowed. A table that Spark has loaded again, by its name alone, was not asked about it. */
  default Decision allowedNow(String operation) {
    Decision decision = decision(operation);
    return (decision == null ? ask(operation) : decision).orRefusal();
  }
}
