package sqe.spark.kinds;

/** A statement that users who share an engine may not run; the gateway shows its message as an access error. */
public final class NotAllowed extends Refusal {
  /** What is refused, in one sentence, and why, in others: the gateway makes a hint of those. */
  NotAllowed(String what, String why) {
    super("SQE_NOT_ALLOWED", "42501", what + " is not allowed on this server. " + why);
  }

  /** A message in a plan that only the gateway may send, without its proof. */
  public static NotAllowed request() {
    return new NotAllowed("A request in the place of the gateway", KindList.reason("gateway"));
  }
}
