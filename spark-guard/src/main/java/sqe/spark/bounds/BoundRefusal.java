package sqe.spark.bounds;

import sqe.spark.kinds.Refusal;

/**
 * A value, an expression or a plan beyond the bounds that one statement has.
 *
 * <p>{@code engine/spark_errors.py} knows the conditions, and the classes too: Spark puts an error of its own round what fails in
 * VALUES.
 */
public abstract sealed class BoundRefusal extends Refusal {
  private BoundRefusal(String condition, String state, String message) {
    super(condition, state, message);
  }

  static BoundRefusal tooLarge(String message) {
    return new TooLarge(message);
  }

  static BoundRefusal tooExpensive(String message) {
    return new TooExpensive(message);
  }

  static BoundRefusal tooComplex(String message) {
    return new TooComplex(message);
  }

  static BoundRefusal canceled() {
    return new Canceled();
  }

  public static final class TooLarge extends BoundRefusal {
    private TooLarge(String message) {
      super("SQE_VALUE_TOO_LARGE", "54000", message);
    }
  }

  public static final class TooExpensive extends BoundRefusal {
    private TooExpensive(String message) {
      super("SQE_EXPRESSION_TOO_EXPENSIVE", "54000", message);
    }
  }

  public static final class TooComplex extends BoundRefusal {
    private TooComplex(String message) {
      super("SQE_STATEMENT_TOO_COMPLEX", "54001", message);
    }
  }

  public static final class Canceled extends BoundRefusal {
    private Canceled() {
      super("SQE_CANCELED", "57014", "The statement was canceled.");
    }
  }
}
