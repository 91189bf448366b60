package sqe.spark.trino;

import sqe.spark.kinds.Refusal;

/** A call that Trino would refuse, or a value that its functions refuse; {@code engine/spark_errors.py} knows the conditions. */
public abstract sealed class TrinoFailure extends Refusal {
  private TrinoFailure(String condition, String state, String message) {
    super(condition, state, message);
  }

  /** Types that an operator or a function does not take. */
  static TrinoFailure types(String message) {
    return new Types(message);
  }

  /** A function with arguments that it never takes. */
  static TrinoFailure function(String message) {
    return new Function(message);
  }

  /** A value that a function does not take. */
  public static TrinoFailure argument(String message) {
    return new Argument(message);
  }

  /** A value that cannot be cast. */
  public static TrinoFailure cast(String message) {
    return new Cast(message);
  }

  /** A number beyond its type. */
  public static TrinoFailure range(String message) {
    return new Range(message);
  }

  public static TrinoFailure divisionByZero() {
    return new DivisionByZero();
  }

  /** Values that Trino does not support. */
  public static TrinoFailure unsupportedValue(String message) {
    return new UnsupportedValue(message);
  }

  /** What Trino can do and this engine cannot. */
  static TrinoFailure unsupported(String message) {
    return new Unsupported(message);
  }

  public static final class Types extends TrinoFailure {
    private Types(String message) {
      super("SQE_TYPE_MISMATCH", "42K09", message);
    }
  }

  public static final class Function extends TrinoFailure {
    private Function(String message) {
      super("SQE_FUNCTION_NOT_FOUND", "42883", message);
    }
  }

  public static final class Argument extends TrinoFailure {
    private Argument(String message) {
      super("SQE_INVALID_ARGUMENT", "22023", message);
    }
  }

  public static final class Cast extends TrinoFailure {
    private Cast(String message) {
      super("SQE_INVALID_CAST", "22018", message);
    }
  }

  public static final class Range extends TrinoFailure {
    private Range(String message) {
      super("SQE_OUT_OF_RANGE", "22003", message);
    }
  }

  public static final class DivisionByZero extends TrinoFailure {
    private DivisionByZero() {
      super("SQE_DIVISION_BY_ZERO", "22012", "Division by zero");
    }
  }

  public static final class Unsupported extends TrinoFailure {
    private Unsupported(String message) {
      super("SQE_NOT_SUPPORTED", "0A000", message);
    }
  }

  /** Apart from the others: what is known of a value must not be told where a policy hides it. */
  public static final class UnsupportedValue extends TrinoFailure {
    private UnsupportedValue(String message) {
      super("SQE_VALUE_NOT_SUPPORTED", "0A000", message);
    }
  }
}
