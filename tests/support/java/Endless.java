/** Stands for code in the engine that no interrupt reaches. */
public final class Endless {
  private static volatile long turns;

  private Endless() {}

  /** Use a core until the JVM ends. */
  public static String loop(String ignored) {
    while (true) {
      turns++;
    }
  }
}
