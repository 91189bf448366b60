package sqe.spark.bounds;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.catalyst.expressions.Contains;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.FindInSet;
import org.apache.spark.sql.catalyst.expressions.Levenshtein;
import org.apache.spark.sql.catalyst.expressions.RuntimeReplaceable;
import org.apache.spark.sql.catalyst.expressions.SortArray;
import org.apache.spark.sql.catalyst.expressions.StringReplace;
import org.apache.spark.sql.catalyst.expressions.StringSplitSQL;
import org.apache.spark.sql.catalyst.expressions.StringTranslate;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.catalyst.util.TypeUtils;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.unsafe.types.UTF8String;
import scala.jdk.javaapi.CollectionConverters;

/** Functions that Spark computes by comparing everything in one operand with everything in another. */
final class SearchBounds {
  /** Two operands of these many bytes together are searched in about a second. */
  static final long MAX_COMPARISONS = 2_000_000_000L;

  /** How many comparisons of bytes one comparison by the rules of a collation takes, at least. */
  static final int COLLATION_FACTOR = 500;

  /** Bytes of elements that are compared each with each. */
  private static final long MAX_COMPARED_BYTES = 10_000_000_000L;

  /** Elements of an array whose elements are compared one by one. */
  static final int MAX_COMPARED = 5_000;

  /** Elements of an array whose elements are found by their hash. */
  static final int MAX_HASHED = 1_000_000;

  private SearchBounds() {}

  private static long product(Object one, Object other) {
    return (long) ((UTF8String) one).numBytes() * ((UTF8String) other).numBytes();
  }

  private static void check(String function, long comparisons, long limit) {
    if (comparisons > limit) {
      throw BoundRefusal.tooExpensive(
          String.format(
              Locale.ROOT,
              "%s would take %,d comparisons; at most %,d are allowed. Use shorter text.",
              function, comparisons, limit));
    }
  }

  /** How many comparisons are allowed in text of this expression's operands. */
  private static long limit(Expression expression) {
    return isCollated(expression) ? MAX_COMPARISONS / COLLATION_FACTOR : MAX_COMPARISONS;
  }

  private static boolean isCollated(Expression expression) {
    return CollectionConverters.asJava(expression.children()).stream().anyMatch(each -> isCollated(each.dataType()));
  }

  /** Whether values of the type are, or hold, text that is not compared byte by byte. */
  static boolean isCollated(DataType type) {
    return type.existsRecursively(each -> each instanceof StringType text && !text.supportsBinaryEquality());
  }

  /** A search of Spark's for the text in one operand in that of another. */
  static Bound search(Expression expression, int first, int second) {
    long limit = limit(expression);
    return new Bound(expression) {
      @Override
      Object apply(Object[] values) {
        if (second < values.length && values[first] != null && values[second] != null) {
          check(name(), product(values[first], values[second]), limit);
        }
        return bySpark(values);
      }
    };
  }

  /** Spark makes all parts of a text, also where one is asked for. */
  static Bound parts(StringSplitSQL split) {
    long limit = limit(split);
    return new Bound(split) {
      @Override
      Object apply(Object[] values) {
        check(name(), product(values[0], values[1]), limit);
        UTF8String text = (UTF8String) values[0];
        int between = ((UTF8String) values[1]).numBytes();
        if (between > 0 && text.numBytes() / between >= Allocation.MAX_ELEMENTS) {
          Allocation.elements(name(), count(text.getBytes(), ((UTF8String) values[1]).getBytes()) + 1);
        }
        return bySpark(values);
      }
    };
  }

  /** By the rules of a collation Spark searches the rest of the text for each character of it, and for each that it replaces. */
  static Bound translate(StringTranslate translate) {
    boolean collated = isCollated(translate);
    long limit = limit(translate);
    return new Bound(translate) {
      @Override
      Object apply(Object[] values) {
        if (collated) {
          long searched = product(values[0], values[0]);
          check(name(), searched, limit);
          check(name(), searched * ((UTF8String) values[1]).numBytes(), limit);
        }
        return bySpark(values);
      }
    };
  }

  /** By the rules of a collation Spark counts the characters from the beginning of the list for each of them. */
  static Bound findInSet(FindInSet find) {
    boolean collated = isCollated(find);
    return new Bound(find) {
      @Override
      Object apply(Object[] values) {
        check(name(), collated ? product(values[1], values[1]) : 0, MAX_COMPARISONS / 4);
        return bySpark(values);
      }
    };
  }

  /** What LIKE '%text%' becomes, so it has to work for whatever LIKE takes. */
  static Bound contains(Contains contains) {
    boolean plain = ((StringType) contains.left().dataType()).supportsBinaryEquality();
    long limit = limit(contains);
    return new Bound(contains) {
      @Override
      Object apply(Object[] values) {
        if (plain && product(values[0], values[1]) > MAX_COMPARISONS) {
          return holds(((UTF8String) values[0]).getBytes(), ((UTF8String) values[1]).getBytes());
        }
        check(name(), plain ? 0 : product(values[0], values[1]), limit);
        return bySpark(values);
      }
    };
  }

  /** Knuth, Morris and Pratt: as many steps as there are bytes. */
  static boolean holds(byte[] text, byte[] part) {
    if (part.length == 0) {
      return true;
    }
    int[] borders = new int[part.length];
    for (int at = 1, border = 0; at < part.length; at++) {
      while (border > 0 && part[at] != part[border]) {
        border = borders[border - 1];
      }
      borders[at] = part[at] == part[border] ? ++border : border;
    }
    for (int at = 0, matched = 0; at < text.length; at++) {
      while (matched > 0 && text[at] != part[matched]) {
        matched = borders[matched - 1];
      }
      if (text[at] == part[matched] && ++matched == part.length) {
        return true;
      }
    }
    return false;
  }

  static Bound replace(StringReplace replace) {
    long limit = limit(replace);
    return new Bound(replace) {
      @Override
      Object apply(Object[] values) {
        check(name(), product(values[0], values[1]), limit);
        UTF8String text = (UTF8String) values[0];
        UTF8String search = (UTF8String) values[1];
        UTF8String with = (UTF8String) values[2];
        long most = search.numBytes() == 0 ? 0 : text.numBytes() / search.numBytes();
        long growth = Math.max(0, with.numBytes() - search.numBytes());
        if (most * growth > Allocation.MAX_BYTES) {
          Allocation.bytes(name(), text.numBytes() + growth * count(text.getBytes(), search.getBytes()));
        }
        return bySpark(values);
      }
    };
  }

  private static long count(byte[] text, byte[] part) {
    long found = 0;
    for (int at = 0; at + part.length <= text.length; ) {
      int same = 0;
      while (same < part.length && text[at + same] == part[same]) {
        same++;
      }
      found += same == part.length ? 1 : 0;
      at += same == part.length ? part.length : 1;
    }
    return found;
  }

  static Bound levenshtein(Levenshtein levenshtein) {
    return new Bound(levenshtein) {
      @Override
      Object apply(Object[] values) {
        UTF8String one = (UTF8String) values[0];
        UTF8String other = (UTF8String) values[1];
        if (product(one, other) <= MAX_COMPARISONS / 10) {
          return bySpark(values);
        }
        int distance = distance(one.toString().codePoints().toArray(), other.toString().codePoints().toArray());
        return values.length > 2 && distance > (int) values[2] ? -1 : distance;
      }
    };
  }

  static int distance(int[] one, int[] other) {
    int[] before = new int[other.length + 1];
    for (int each = 0; each < before.length; each++) {
      before[each] = each;
    }
    int[] now = new int[before.length];
    for (int row = 1; row <= one.length; row++) {
      Interrupts.check();
      now[0] = row;
      for (int each = 1; each < now.length; each++) {
        int replaced = before[each - 1] + (one[row - 1] == other[each - 1] ? 0 : 1);
        now[each] = Math.min(replaced, Math.min(before[each], now[each - 1]) + 1);
      }
      int[] swap = before;
      before = now;
      now = swap;
    }
    return before[other.length];
  }

  /** As Spark sorts, with a look for a cancel at each comparison. NULL is less than anything else. */
  static Bound sort(SortArray sort) {
    DataType type = ((ArrayType) sort.base().dataType()).elementType();
    return new Bound(sort) {
      @Override
      Object apply(Object[] values) {
        if (type instanceof NullType) {
          return values[0];
        }
        Object[] elements = ((ArrayData) values[0]).toObjectArray(type).clone();
        Comparator<Object> order = Comparator.nullsFirst(TypeUtils.getInterpretedOrdering(type));
        Comparator<Object> watched =
            (one, other) -> {
              Interrupts.check();
              return order.compare(one, other);
            };
        Arrays.sort(elements, (boolean) values[1] ? watched : watched.reversed());
        return new GenericArrayData(elements);
      }
    };
  }

  /** Sets of arrays: elements without a hash are compared each with each. */
  static Bound sets(Expression expression) {
    boolean hashed =
        CollectionConverters.asJava(expression.children()).stream()
            .allMatch(
                each ->
                    !(each.dataType() instanceof ArrayType array)
                        || TypeUtils.typeWithProperEquals(array.elementType()));
    long limit = isCollated(expression) ? MAX_COMPARED_BYTES / COLLATION_FACTOR : MAX_COMPARED_BYTES;
    return new Bound(expression) {
      @Override
      Object apply(Object[] values) {
        for (Object each : values) {
          int most = hashed ? MAX_HASHED : MAX_COMPARED;
          if (each instanceof ArrayData array && array.numElements() > most) {
            throw BoundRefusal.tooExpensive(
                String.format(
                    Locale.ROOT,
                    "%s compares %,d elements with each other; at most %,d of this type are allowed.",
                    name(), array.numElements(), most));
          }
          if (!hashed && each instanceof ArrayData array) {
            check(name(), array.numElements() * Weight.of(array), limit);
          }
        }
        return bySpark(values);
      }
    };
  }

  /** An expression that Spark writes as another one before it evaluates it. */
  static Bound written(Expression expression) {
    Expression within = Bounds.in(asEvaluated(expression), List.of());
    return new Bound(expression) {
      @Override
      List<Expression> operands() {
        return List.of(within);
      }

      @Override
      Object apply(Object[] values) {
        return values[0];
      }
    };
  }

  static Expression asEvaluated(Expression expression) {
    return expression instanceof RuntimeReplaceable written
        ? asEvaluated(written.replacement())
        : (Expression) expression.mapChildren(SearchBounds::asEvaluated);
  }
}
