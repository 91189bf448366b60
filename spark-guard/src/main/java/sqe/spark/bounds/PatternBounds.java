package sqe.spark.bounds;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.TaskKilledException;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Like;
import org.apache.spark.sql.catalyst.expressions.RLike;
import org.apache.spark.sql.catalyst.expressions.RegExpExtract;
import org.apache.spark.sql.catalyst.expressions.RegExpExtractAll;
import org.apache.spark.sql.catalyst.expressions.RegExpExtractBase;
import org.apache.spark.sql.catalyst.expressions.RegExpInStr;
import org.apache.spark.sql.catalyst.expressions.RegExpReplace;
import org.apache.spark.sql.catalyst.expressions.StringSplit;
import org.apache.spark.sql.catalyst.util.CollationSupport;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.catalyst.util.StringUtils;
import org.apache.spark.sql.errors.QueryExecutionErrors;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.unsafe.types.UTF8String;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.kinds.Refusal;

/** LIKE and regular expressions: the results are Spark's. */
final class PatternBounds {
  private PatternBounds() {}

  private static int collation(Expression text) {
    return ((StringType) text.dataType()).collationId();
  }

  private static int flags(Expression text) {
    return CollationSupport.collationAwareRegexFlags(collation(text));
  }

  /** Only text that is compared byte by byte can do without a regular expression. */
  private static Predicate<String> likePattern(String pattern, char escape, int flags) {
    if (flags == 0) {
      return new LikePattern(pattern, escape)::matches;
    }
    Pattern regex = Pattern.compile(StringUtils.escapeLikeRegex(pattern, escape), flags);
    return text -> Regexes.within(() -> regex.matcher(new WatchedText(text)).matches());
  }

  static Bound like(Like like) {
    int flags = flags(like.left());
    return new Bound(like) {
      private UTF8String last;
      private Predicate<String> pattern;

      @Override
      Object apply(Object[] values) {
        UTF8String written = (UTF8String) values[1];
        if (!written.equals(last)) {
          pattern = likePattern(written.toString(), like.escapeChar(), flags);
          last = written.clone();
        }
        return pattern.test(values[0].toString());
      }
    };
  }

  /**
   * LIKE ANY and LIKE ALL with constants.
   *
   * @param not whether each pattern is negated
   * @param all whether every pattern has to hold
   */
  static Bound likes(Expression likes, Expression text, Seq<UTF8String> written, boolean not, boolean all) {
    int flags = flags(text);
    List<Predicate<String>> patterns = new ArrayList<>();
    boolean unknown = false;
    for (UTF8String each : CollectionConverters.asJava(written)) {
      if (each == null) {
        unknown = true;
      } else {
        patterns.add(likePattern(each.toString(), '\\', flags));
      }
    }
    Object otherwise = unknown ? null : (Object) all;
    return new Bound(likes) {
      @Override
      boolean isStrict() {
        return true;
      }

      @Override
      Object apply(Object[] values) {
        String value = values[0].toString();
        for (Predicate<String> each : patterns) {
          if ((each.test(value) != not) != all) {
            return !all;
          }
        }
        return otherwise;
      }
    };
  }

  static Bound rlike(RLike rlike) {
    Regexes regexes = new Regexes(rlike.prettyName(), flags(rlike.left()));
    return new Bound(rlike) {
      @Override
      Object apply(Object[] values) {
        return regexes.find(regexes.matcher(values[0], values[1]));
      }
    };
  }

  static Bound split(StringSplit split) {
    int collation = collation(split.str());
    boolean legacy = SQLConf.get().getConfString("spark.sql.legacy.truncateForEmptyRegexSplit", "false").equals("true");
    Regexes regexes = new Regexes(split.prettyName(), 0);
    return new Bound(split) {
      @Override
      Object apply(Object[] values) {
        UTF8String text = (UTF8String) values[0];
        UTF8String regex = (UTF8String) values[1];
        if (regex.numBytes() == 0) {
          Allocation.elements(name(), text.numChars());
          return bySpark(values);
        }
        UTF8String aware = CollationSupport.collationAwareRegex(regex, collation, legacy);
        List<String> parts = regexes.split(text.toString(), aware, (int) values[2]);
        return new GenericArrayData(parts.stream().map(UTF8String::fromString).toArray());
      }
    };
  }

  static Bound replace(RegExpReplace replace) {
    Regexes regexes = new Regexes(replace.prettyName(), flags(replace.subject()));
    return new Bound(replace) {
      @Override
      Object apply(Object[] values) {
        String source = values[0].toString();
        int position = (int) values[3] - 1;
        Matcher matcher = regexes.matcher(values[0], values[1]);
        if (position != 0 && position >= source.codePointCount(0, source.length())) {
          return values[0];
        }
        matcher.region(source.offsetByCodePoints(0, position), source.length());
        String replacement = values[2].toString();
        StringBuilder result = new StringBuilder();
        while (regexes.find(matcher)) {
          append(values, matcher, result, replacement);
          Allocation.bytes(name(), result.length());
        }
        matcher.appendTail(result);
        return UTF8String.fromString(result.toString());
      }
    };
  }

  private static void append(Object[] values, Matcher matcher, StringBuilder result, String replacement) {
    try {
      matcher.appendReplacement(result, replacement);
    } catch (Refusal | TaskKilledException end) {
      throw end;
    } catch (RuntimeException invalid) {
      throw QueryExecutionErrors.invalidRegexpReplaceError(
          values[0].toString(), values[1].toString(), values[2].toString(), (int) values[3], invalid);
    }
  }

  private static UTF8String group(Matcher matcher, String function, int index) {
    RegExpExtractBase.checkGroupIndex(function, matcher.groupCount(), index);
    String group = matcher.group(index);
    return group == null ? UTF8String.EMPTY_UTF8 : UTF8String.fromString(group);
  }

  static Bound extract(RegExpExtract extract) {
    Regexes regexes = new Regexes(extract.prettyName(), flags(extract.subject()));
    return new Bound(extract) {
      @Override
      Object apply(Object[] values) {
        Matcher matcher = regexes.matcher(values[0], values[1]);
        return regexes.find(matcher) ? group(matcher, name(), (int) values[2]) : UTF8String.EMPTY_UTF8;
      }
    };
  }

  static Bound extractAll(RegExpExtractAll extract) {
    Regexes regexes = new Regexes(extract.prettyName(), flags(extract.subject()));
    return new Bound(extract) {
      @Override
      Object apply(Object[] values) {
        Matcher matcher = regexes.matcher(values[0], values[1]);
        List<UTF8String> found = new ArrayList<>();
        long bytes = 0;
        while (regexes.find(matcher)) {
          UTF8String group = group(matcher, name(), (int) values[2]);
          bytes += group.numBytes();
          Allocation.elements(name(), found.size() + 1L);
          Allocation.array(name(), bytes);
          found.add(group);
        }
        return new GenericArrayData(found.toArray());
      }
    };
  }

  static Bound position(RegExpInStr position) {
    Regexes regexes = new Regexes(position.prettyName(), flags(position.subject()));
    return new Bound(position) {
      @Override
      Object apply(Object[] values) {
        Matcher matcher = regexes.matcher(values[0], values[1]);
        return regexes.find(matcher) ? values[0].toString().codePointCount(0, matcher.start()) + 1 : 0;
      }
    };
  }
}
