package sqe.spark.kinds;

/** A number or word in a statement that is outside of what is allowed there. */
public final class BadValue extends Refusal {
  private static final int SHOWN = 100;

  /**
   * @param what the name of the setting, property or hint
   * @param allowed what may stand there
   */
  public BadValue(String what, String value, String allowed) {
    super("SQE_BAD_VALUE", "22023", what + " cannot be " + shown(value) + ". It has to be " + allowed + ".");
  }

  private static String shown(String value) {
    return "'" + (value.length() > SHOWN ? value.substring(0, SHOWN) + "..." : value) + "'";
  }
}
