import java.nio.file.Files;
import java.nio.file.Path;

/** Stands for code in the engine that no interrupt reaches. */
public final class Endless {
  private static volatile long turns;

  private Endless() {}

  /** Write a file, so that a test sees that the loop is reached, and use a core until the JVM ends. */
  public static String loop(String file) throws java.io.IOException {
    Files.createFile(Path.of(file));
    while (true) {
      turns++;
    }
  }
}
