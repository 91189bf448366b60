package sqe.spark.kinds;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * One file of the allow-list: a name, a verdict, and what belongs to the verdict, on each line. {@code [a.package]} is put
 * before the names that follow. A file that cannot be read to its last line makes no engine.
 */
final class KindList {
  private static final String WHERE = "/sqe/kinds/";
  private static final Map<String, String> REASONS = reasons();

  private final Map<String, Verdict> verdicts = new HashMap<>();

  KindList(String file) {
    String prefix = "";
    for (String line : lines(file)) {
      if (line.startsWith("[") && line.endsWith("]")) {
        prefix = line.substring(1, line.length() - 1) + ".";
        continue;
      }
      String[] parts = line.split("\\s+", 4);
      if (parts.length < 2 || verdicts.put(prefix + parts[0], verdict(parts)) != null) {
        throw new IllegalStateException(file + ": " + line);
      }
    }
  }

  /** What is not on the list is refused. */
  Verdict of(String name) {
    return verdicts.getOrDefault(name, Verdict.UNLISTED);
  }

  static String reason(String key) {
    return Objects.requireNonNull(REASONS.get(key), key);
  }

  private static Verdict verdict(String[] parts) {
    Verdict.Word word = Verdict.Word.valueOf(parts[1].toUpperCase(Locale.ROOT));
    String detail = parts.length > 2 ? parts[2] : "";
    boolean detailed = word == Verdict.Word.DECIDE || word == Verdict.Word.REFUSE || word == Verdict.Word.VALUE;
    if (detailed == detail.isEmpty() || (word == Verdict.Word.REFUSE && !REASONS.containsKey(detail))) {
      throw new IllegalStateException(String.join(" ", parts));
    }
    String what = parts.length > 3 ? parts[3] : "";
    return new Verdict(word, detail, what);
  }

  private static Map<String, String> reasons() {
    Map<String, String> reasons = new HashMap<>();
    for (String line : lines("reasons.txt")) {
      String[] parts = line.split("\\s+", 2);
      reasons.put(parts[0], parts[1]);
    }
    return reasons;
  }

  private static String withoutComment(String line) {
    return line.startsWith("#") ? "" : line.replaceFirst("\\s# .*", "").strip();
  }

  private static List<String> lines(String file) {
    try (InputStream stream = KindList.class.getResourceAsStream(WHERE + file)) {
      if (stream == null) {
        throw new IllegalStateException("the list " + file + " is missing");
      }
      String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
      return text.lines().map(KindList::withoutComment).filter(line -> !line.isEmpty()).toList();
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
