package sqe.spark.guard;

import org.apache.iceberg.exceptions.CleanableFailure;
import sqe.spark.kinds.Refusal;

/** An error of the guard. It names no rule, and nothing that is hidden. */
public final class GuardRefusal extends Refusal implements CleanableFailure {
  private static final String UNGUARDED = "SQE_UNGUARDED";
  private static final String UNAVAILABLE = "SQE_POLICY_UNAVAILABLE";

  private GuardRefusal(String condition, String state, String message) {
    super(condition, state, message);
  }

  static GuardRefusal of(Decision decision) {
    return decision.unsupported() ? unsupported(decision.reason()) : denied(decision.reason());
  }

  /** True if it was decided about something that is in listings, whose name is no secret. Throws if there is no decision. */
  public boolean isOfSomethingShown() {
    if (getCondition().equals(UNAVAILABLE)) {
      throw this;
    }
    return true;
  }

  static GuardRefusal denied(String message) {
    return new GuardRefusal("SQE_ACCESS_DENIED", "42501", message);
  }

  /** No user may whom a rule restricts there. */
  static GuardRefusal unsupported(String message) {
    return new GuardRefusal("SQE_POLICY_UNSUPPORTED", "0A000", message);
  }

  /** The condition of a DELETE in which a row filter cannot be put. */
  static GuardRefusal condition(Question.Resource resource) {
    return unsupported(
        "This condition cannot be used to delete from "
            + resource
            + ", which has a row filter: compare columns with values only.");
  }

  /** There is no decision, or it cannot be carried out. */
  static GuardRefusal unavailable(String message) {
    return new GuardRefusal(UNAVAILABLE, "42501", message);
  }

  boolean isUnguarded() {
    return UNGUARDED.equals(getCondition());
  }

  /** Something in a plan that no decision was made about: a hole in the guard, were it let through. */
  static GuardRefusal unguarded(String what) {
    return new GuardRefusal(UNGUARDED, "42501", "Access denied: " + what + " is not guarded.");
  }

  static GuardRefusal changed(Question.Resource resource) {
    return denied("The rules on " + resource + " have changed meanwhile. Run the statement again, or make its view again.");
  }

  /** What is asked about is not there; the condition is Spark's own. */
  static GuardRefusal notFound(String condition, String state, String message) {
    return new GuardRefusal(condition, state, message);
  }
}
