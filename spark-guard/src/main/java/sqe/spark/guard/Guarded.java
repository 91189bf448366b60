package sqe.spark.guard;

import java.util.List;
import java.util.Map;

/** A table with the decisions that were made about it when it was loaded, for one session and one statement. */
interface Guarded {
  /** By whom a table was loaded, and what was decided about each operation that was asked about; some may be refused. */
  record Loaded(PolicyCatalogGuard guard, Question.Resource resource, Map<String, Decision> decisions) {}

  Loaded loaded();

  default Question.Resource resource() {
    return loaded().resource();
  }

  /** The UUID of the session whose person may. */
  default String session() {
    return loaded().guard().session().sessionUUID();
  }

  /** Null if it was not asked. It may be a refusal. */
  default Decision decision(String operation) {
    return loaded().decisions().get(operation);
  }

  /** What is decided about the operation now. */
  default Decision ask(String operation) {
    return Decisions.ask(loaded().guard().session(), List.of(new Question(operation, resource()))).decisions().get(0);
  }

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
