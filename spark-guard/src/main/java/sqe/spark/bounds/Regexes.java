package sqe.spark.bounds;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.spark.sql.errors.QueryExecutionErrors;
import org.apache.spark.unsafe.types.UTF8String;

/** Regular expressions that end when their statement is canceled, and that end no thread by its stack. */
public final class Regexes {
  private final String function;
  private final int flags;
  private UTF8String last;
  private Pattern pattern;

  Regexes(String function, int flags) {
    this.function = function;
    this.flags = flags;
  }

  Matcher matcher(Object text, Object regex) {
    return matcher(text.toString(), (UTF8String) regex);
  }

  private Matcher matcher(String text, UTF8String regex) {
    if (!regex.equals(last)) {
      pattern = within(() -> compile(regex.toString()));
      last = regex.clone();
    }
    return pattern.matcher(new WatchedText(text));
  }

  private Pattern compile(String regex) {
    try {
      return Pattern.compile(regex, flags);
    } catch (PatternSyntaxException invalid) {
      throw QueryExecutionErrors.invalidPatternError(function, invalid.getPattern(), invalid);
    }
  }

  boolean find(Matcher matcher) {
    return within(matcher::find);
  }

  /** Alternatives and groups that repeat make {@code java.util.regex} call itself for each repetition. */
  public static <T> T within(Supplier<T> work) {
    try {
      return work.get();
    } catch (StackOverflowError tooDeep) {
      throw BoundRefusal.tooExpensive(
          "A regular expression repeats a group more often than the engine can follow. Write it without groups in"
              + " repetitions, or match shorter text.");
    }
  }

  /** As {@code Pattern.split}, with an end to the number of parts. */
  List<String> split(String text, UTF8String regex, int limit) {
    List<String> parts = new ArrayList<>();
    Matcher matcher = matcher(text, regex);
    int index = 0;
    while (find(matcher)) {
      if (limit <= 0 || parts.size() < limit - 1) {
        if (index == 0 && matcher.start() == 0 && matcher.end() == 0) {
          continue; // no empty part before a match of nothing at the beginning
        }
        add(parts, text.substring(index, matcher.start()));
        index = matcher.end();
      } else {
        break; // the rest is the last part
      }
    }
    if (index == 0) {
      return List.of(text);
    }
    add(parts, text.substring(index));
    return parts;
  }

  private void add(List<String> parts, String part) {
    Allocation.elements(function, parts.size() + 1L);
    parts.add(part);
  }
}
