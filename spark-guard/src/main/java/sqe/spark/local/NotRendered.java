package sqe.spark.local;

/** Says why a plan stays on Spark: by the names of kinds and types only, never by values. */
final class NotRendered extends RuntimeException {
  NotRendered(String reason) {
    super(reason, null, false, false);
  }
}
