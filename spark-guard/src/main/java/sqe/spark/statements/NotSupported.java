package sqe.spark.statements;

import sqe.spark.kinds.Refusal;

/** A statement that Spark or Iceberg would fail on with words about their own insides. */
public final class NotSupported extends Refusal {
  /** What is not supported, in one sentence; others become a hint. */
  public NotSupported(String message) {
    super("SQE_NOT_SUPPORTED", "0A000", message);
  }
}
