package sqe.spark.parameters;

/** An error in a statement that the gateway asked about; the gateway shows the cause only. */
public final class StatementFailure extends RuntimeException {
  public StatementFailure(Throwable cause) {
    super(cause.getMessage(), cause);
  }
}
