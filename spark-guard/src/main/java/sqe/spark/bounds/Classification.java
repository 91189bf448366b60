package sqe.spark.bounds;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The list of functions with what keeps each within bounds; its first lines say what the words mean. */
final class Classification {
  private static final String FILE = "/sqe/bounds/functions.txt";

  /** Functions of these kinds need nothing from here. */
  private static final Set<String> FREE = Set.of("linear", "aggregate");

  private static final Map<String, String> KINDS = read();

  private Classification() {}

  /** The functions that are built within bounds. */
  static Set<String> bounded() {
    return KINDS.keySet().stream().filter(name -> !FREE.contains(KINDS.get(name))).collect(Collectors.toSet());
  }

  static Set<String> named(String kind) {
    return KINDS.keySet().stream().filter(name -> KINDS.get(name).equals(kind)).collect(Collectors.toSet());
  }

  private static Map<String, String> read() {
    try (InputStream stream = Classification.class.getResourceAsStream(FILE)) {
      Map<String, String> kinds = new HashMap<>();
      new String(stream.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> line.startsWith("#") ? "" : line.replaceFirst("\\s# .*", "").strip())
          .filter(line -> !line.isEmpty())
          .map(line -> line.split("\\s+", 2))
          .forEach(parts -> kinds.put(parts[0], parts[1]));
      return kinds;
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
