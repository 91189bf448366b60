package sqe.spark.bounds;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.catalyst.expressions.ArrayJoin;
import org.apache.spark.sql.catalyst.expressions.ArrayRepeat;
import org.apache.spark.sql.catalyst.expressions.Concat;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Flatten;
import org.apache.spark.sql.catalyst.expressions.FormatString;
import org.apache.spark.sql.catalyst.expressions.Overlay;
import org.apache.spark.sql.catalyst.expressions.Sequence;
import org.apache.spark.sql.catalyst.expressions.StringRepeat;
import org.apache.spark.sql.catalyst.expressions.StringSpace;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.YearMonthIntervalType;
import org.apache.spark.unsafe.types.CalendarInterval;
import org.apache.spark.unsafe.types.UTF8String;
import scala.jdk.javaapi.CollectionConverters;

/** Functions whose results can be much larger than their operands. */
final class GrowthBounds {
  private static final long MICROS_PER_DAY = 86_400_000_000L;

  /** As Spark estimates it: the shortest month. */
  private static final long DAYS_PER_MONTH = 28;

  /** argument_index, flags, width, precision, conversion: all of Java's but the conversion is optional. */
  private static final Pattern SPECIFIER = Pattern.compile("%(\\d++\\$|<)?[-#+ 0,(]*+(\\d++)?(\\.\\d++)?[tT]?[a-zA-Z%]");

  /** What a number, a date or a boolean takes at most when it is formatted without a width. */
  private static final int PLAIN_VALUE = 400;

  private GrowthBounds() {}

  static Bound repeat(StringRepeat repeat) {
    return new Bound(repeat) {
      @Override
      Object apply(Object[] values) {
        Allocation.bytes(name(), (long) ((UTF8String) values[0]).numBytes() * Math.max(0, (int) values[1]));
        return bySpark(values);
      }
    };
  }

  static Bound space(StringSpace space) {
    return new Bound(space) {
      @Override
      Object apply(Object[] values) {
        Allocation.bytes(name(), (int) values[0]);
        return bySpark(values);
      }
    };
  }

  /** lpad and rpad of text: text, length in characters, padding. */
  static Bound pad(Expression pad) {
    return new Bound(pad) {
      @Override
      Object apply(Object[] values) {
        UTF8String padding = (UTF8String) values[2];
        int characters = Math.max(1, padding.numChars());
        int width = (padding.numBytes() + characters - 1) / characters;
        Allocation.bytes(name(), (long) Math.max(0, (int) values[1]) * Math.max(1, width));
        return bySpark(values);
      }
    };
  }

  /** Also for a chain of || in one piece. */
  static Bound concat(Concat concat) {
    List<Expression> operands = new ArrayList<>();
    collect(concat, operands);
    DataType type = concat.dataType();
    return new Bound(concat) {
      @Override
      List<Expression> operands() {
        return operands;
      }

      @Override
      boolean isStrict() {
        return type instanceof ArrayType;
      }

      @Override
      Object apply(Object[] values) {
        if (type instanceof StringType) {
          return texts(name(), values);
        }
        return type instanceof ArrayType array ? arrays(name(), values, array.elementType()) : binaries(name(), values);
      }
    };
  }

  private static void collect(Expression expression, List<Expression> operands) {
    for (Expression each : CollectionConverters.asJava(expression.children())) {
      if (each instanceof Concat nested) {
        collect(nested, operands);
      } else {
        operands.add(each);
      }
    }
  }

  private static Object texts(String name, Object[] values) {
    UTF8String[] texts = new UTF8String[values.length];
    long bytes = 0;
    for (int each = 0; each < values.length; each++) {
      texts[each] = (UTF8String) values[each];
      bytes += texts[each] == null ? 0 : texts[each].numBytes();
    }
    Allocation.bytes(name, bytes);
    return UTF8String.concat(texts);
  }

  private static Object binaries(String name, Object[] values) {
    byte[][] binaries = new byte[values.length][];
    long bytes = 0;
    for (int each = 0; each < values.length; each++) {
      binaries[each] = (byte[]) values[each];
      bytes += binaries[each] == null ? 0 : binaries[each].length;
    }
    Allocation.bytes(name, bytes);
    return org.apache.spark.unsafe.types.ByteArray.concat(binaries);
  }

  private static Object arrays(String name, Object[] values, DataType type) {
    long elements = 0;
    for (Object each : values) {
      elements += ((ArrayData) each).numElements();
    }
    Allocation.elements(name, elements);
    Object[] all = new Object[(int) elements];
    int at = 0;
    for (Object each : values) {
      Object[] part = ((ArrayData) each).toObjectArray(type);
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    return new GenericArrayData(all);
  }

  /** The result is not larger than the text and what is put into it. */
  static Bound overlay(Overlay overlay) {
    return new Bound(overlay) {
      @Override
      Object apply(Object[] values) {
        Allocation.bytes(name(), Allocation.sizeOf(values[0]) + Allocation.sizeOf(values[1]));
        return bySpark(values);
      }
    };
  }

  /** A separator, and texts or arrays of texts. */
  static Bound concatWs(Expression concat) {
    return new Bound(concat) {
      @Override
      Object apply(Object[] values) {
        long bytes = 0;
        for (int each = 1; each < values.length; each++) {
          bytes += joined(values[each], values[0]);
        }
        Allocation.bytes(name(), bytes);
        return bySpark(values);
      }
    };
  }

  static Bound join(ArrayJoin join) {
    return new Bound(join) {
      @Override
      Object apply(Object[] values) {
        if (values[0] != null && values[1] != null) {
          long bytes = joined(values[0], values[1]);
          if (values.length > 2 && values[2] != null) {
            bytes += nulls((ArrayData) values[0]) * (Allocation.sizeOf(values[1]) + Allocation.sizeOf(values[2]));
          }
          Allocation.bytes(name(), bytes);
        }
        return bySpark(values);
      }
    };
  }

  private static long joined(Object value, Object separator) {
    long between = separator == null ? 0 : ((UTF8String) separator).numBytes();
    if (!(value instanceof ArrayData array)) {
      return value == null ? 0 : ((UTF8String) value).numBytes() + between;
    }
    long bytes = 0;
    for (int each = 0; each < array.numElements(); each++) {
      bytes += array.isNullAt(each) ? 0 : array.getUTF8String(each).numBytes() + between;
    }
    return bytes;
  }

  private static long nulls(ArrayData array) {
    long nulls = 0;
    for (int each = 0; each < array.numElements(); each++) {
      nulls += array.isNullAt(each) ? 1 : 0;
    }
    return nulls;
  }

  static Bound arrayRepeat(ArrayRepeat repeat) {
    return new Bound(repeat) {
      @Override
      Object apply(Object[] values) {
        if (values[1] != null) {
          long count = Math.max(0, (int) values[1]);
          Allocation.elements(name(), count);
          Allocation.array(name(), count * Allocation.sizeOf(values[0]));
        }
        return bySpark(values);
      }
    };
  }

  static Bound flatten(Flatten flatten) {
    return new Bound(flatten) {
      @Override
      Object apply(Object[] values) {
        ArrayData arrays = (ArrayData) values[0];
        long elements = 0;
        for (int each = 0; each < arrays.numElements(); each++) {
          elements += arrays.isNullAt(each) ? 0 : arrays.getArray(each).numElements();
        }
        Allocation.elements(name(), elements);
        return bySpark(values);
      }
    };
  }

  static Bound sequence(Sequence sequence) {
    DataType type = sequence.start().dataType();
    return new Bound(sequence) {
      @Override
      Object apply(Object[] values) {
        if (values[0] != null && values[1] != null) {
          double length = Math.abs(number(values[1]) - number(values[0]));
          Object step = values.length > 2 ? values[2] : null;
          if (!(type instanceof IntegralType)) {
            length *= type instanceof DateType ? MICROS_PER_DAY : 1;
          }
          double width = step == null ? (type instanceof IntegralType ? 1 : MICROS_PER_DAY) : width(step);
          if (width != 0) {
            Allocation.elements(name(), (long) (Math.floor(length / Math.abs(width)) + 1)); // as a double, which cannot overflow
          }
        }
        return bySpark(values);
      }

      private double width(Object step) {
        if (step instanceof CalendarInterval interval) {
          return (interval.months * (double) DAYS_PER_MONTH + interval.days) * MICROS_PER_DAY + interval.microseconds;
        }
        DataType of = sequence.stepOpt().get().dataType();
        return of instanceof YearMonthIntervalType
            ? number(step) * DAYS_PER_MONTH * MICROS_PER_DAY
            : number(step);
      }
    };
  }

  private static double number(Object value) {
    return ((Number) value).doubleValue();
  }

  static Bound format(FormatString format) {
    return new Bound(format) {
      @Override
      Object apply(Object[] values) {
        if (values[0] != null) {
          Allocation.bytes(name(), formatted((UTF8String) values[0], values));
        }
        return bySpark(values);
      }
    };
  }

  private static long formatted(UTF8String format, Object[] values) {
    long bytes = format.numBytes();
    Matcher specifier = SPECIFIER.matcher(new WatchedText(format.toString()));
    int ordinary = 0;
    int last = 0;
    while (specifier.find()) {
      String index = specifier.group(1);
      if (index == null) {
        last = ++ordinary;
      } else if (!index.equals("<")) {
        last = (int) Math.min(Integer.MAX_VALUE, digits(index.substring(0, index.length() - 1)));
      }
      Object value = last > 0 && last < values.length ? values[last] : null;
      long plain = value instanceof UTF8String text ? text.numBytes() : PLAIN_VALUE;
      String precision = specifier.group(3);
      long digits = precision == null || value instanceof UTF8String ? 0 : digits(precision.substring(1));
      bytes += Math.max(plain + digits, digits(specifier.group(2)));
    }
    return bytes;
  }

  private static long digits(String digits) {
    return digits == null ? 0 : digits.length() > 10 ? Integer.MAX_VALUE : Long.parseLong(digits);
  }

}
