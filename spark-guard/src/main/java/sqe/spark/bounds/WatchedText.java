package sqe.spark.bounds;

/** Text for {@code java.util.regex}, which looks at nothing but its characters while it backtracks. */
public final class WatchedText implements CharSequence {
  private static final int EVERY = 0x3FF;

  private final String text;
  private int steps;

  public WatchedText(String text) {
    this.text = text;
  }

  @Override
  public char charAt(int index) {
    if ((++steps & EVERY) == 0) {
      Interrupts.check();
    }
    return text.charAt(index);
  }

  @Override
  public int length() {
    return text.length();
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return text.substring(start, end);
  }

  @Override
  public String toString() {
    return text;
  }
}
