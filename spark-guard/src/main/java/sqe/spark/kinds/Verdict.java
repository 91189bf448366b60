package sqe.spark.kinds;

/**
 * The verdict of a list on one kind of plan, expression, function, procedure or setting.
 *
 * @param detail the operation of what is decided, the key of why something is refused, the type of a setting; else nothing
 * @param what what people call a thing that is refused, nothing if that follows from its name; the range of a setting
 */
public record Verdict(Word word, String detail, String what) {
  /** The words of the files; the first lines of {@code plans.txt} say what they mean. */
  public enum Word {
    ALLOW,
    EARLY,
    DECIDE,
    RELATION,
    VALUE,
    REFUSE
  }

  static final Verdict UNLISTED = new Verdict(Word.REFUSE, "unlisted", "");

  public boolean refuses() {
    return word == Word.REFUSE;
  }

  /** The operation that a decision is asked for, or null. */
  public String operation() {
    return word == Word.DECIDE ? detail : null;
  }
}
