package sqe.spark.trino;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimeType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.YearMonthIntervalType;

/** Trino's view of Spark's types: their names, and which becomes which without a cast. */
final class TrinoTypes {
  /** More than any number of steps that a coercion takes. */
  static final int NEVER = 1_000;

  private static final List<DataType> INTEGERS =
      List.of(DataTypes.ByteType, DataTypes.ShortType, DataTypes.IntegerType, DataTypes.LongType);
  private static final int[] DIGITS = {3, 5, 10, 19};
  private static final int MAX_PRECISION = 38;
  /** The zone that follows a type, also inside of arrays, maps and rows. */
  private static final Pattern ZONE = Pattern.compile("( with time zone)@[^,)]*");

  private TrinoTypes() {}

  static boolean isInteger(DataType type) {
    return type instanceof ByteType || type instanceof ShortType || type instanceof IntegerType || type instanceof LongType;
  }

  static boolean isFloating(DataType type) {
    return type instanceof FloatType || type instanceof DoubleType;
  }

  static boolean isNumber(DataType type) {
    return isInteger(type) || isFloating(type) || type instanceof DecimalType;
  }

  static boolean isNested(DataType type) {
    return type instanceof ArrayType || type instanceof MapType || type instanceof StructType;
  }

  static boolean isTimestamp(DataType type) {
    return type instanceof TimestampType || type instanceof TimestampNTZType;
  }

  /** The decimal type that holds every integer of a type. */
  static DecimalType decimalOf(DataType type) {
    return type instanceof DecimalType decimal ? decimal : new DecimalType(DIGITS[INTEGERS.indexOf(type)], 0);
  }

  /** The type that both become without a cast; null when there is none. */
  static DataType common(DataType left, DataType right) {
    if (left.sameType(right) || right instanceof NullType) {
      return left;
    }
    if (left instanceof NullType) {
      return right;
    }
    if (isNumber(left) && isNumber(right)) {
      return number(left, right);
    }
    if (left instanceof StringType && right instanceof StringType) {
      return left;
    }
    if (left instanceof DateType && isTimestamp(right)) {
      return right;
    }
    if (right instanceof DateType && isTimestamp(left)) {
      return left;
    }
    if (isTimestamp(left) && isTimestamp(right)) {
      return DataTypes.TimestampType;
    }
    if (left instanceof DayTimeIntervalType && right instanceof DayTimeIntervalType) {
      return DataTypes.createDayTimeIntervalType();
    }
    if (left instanceof YearMonthIntervalType && right instanceof YearMonthIntervalType) {
      return DataTypes.createYearMonthIntervalType();
    }
    if (left instanceof TimeType first && right instanceof TimeType second) {
      return TimeType.apply(Math.max(first.precision(), second.precision()));
    }
    return nested(left, right);
  }

  private static DataType nested(DataType left, DataType right) {
    if (left instanceof ArrayType first && right instanceof ArrayType second) {
      DataType element = common(first.elementType(), second.elementType());
      return element == null ? null : new ArrayType(element, first.containsNull() || second.containsNull());
    }
    if (left instanceof MapType first && right instanceof MapType second) {
      DataType key = common(first.keyType(), second.keyType());
      DataType value = common(first.valueType(), second.valueType());
      return key == null || value == null
          ? null
          : new MapType(key, value, first.valueContainsNull() || second.valueContainsNull());
    }
    boolean wide = Wide.of(left) != null || Wide.of(right) != null; // which are the same, or become so with a cast of ours
    if (!wide && left instanceof StructType first && right instanceof StructType second && first.length() == second.length()) {
      List<StructField> fields = new ArrayList<>();
      for (int i = 0; i < first.length(); i++) {
        StructField one = first.fields()[i];
        StructField other = second.fields()[i];
        DataType type = common(one.dataType(), other.dataType());
        if (type == null) {
          return null;
        }
        fields.add(new StructField(one.name(), type, one.nullable() || other.nullable(), one.metadata()));
      }
      return new StructType(fields.toArray(new StructField[0]));
    }
    return null;
  }

  private static DataType number(DataType left, DataType right) {
    if (left instanceof DoubleType || right instanceof DoubleType) {
      return DataTypes.DoubleType;
    }
    if (left instanceof FloatType || right instanceof FloatType) {
      return DataTypes.FloatType;
    }
    if (left instanceof DecimalType || right instanceof DecimalType) {
      DecimalType first = decimalOf(left);
      DecimalType second = decimalOf(right);
      int scale = Math.max(first.scale(), second.scale());
      int whole = Math.max(first.precision() - first.scale(), second.precision() - second.scale());
      return new DecimalType(Math.min(MAX_PRECISION, whole + scale), scale);
    }
    return INTEGERS.get(Math.max(INTEGERS.indexOf(left), INTEGERS.indexOf(right)));
  }

  /** How many steps a type is away from another that it becomes without a cast. */
  static int distance(DataType from, DataType to) {
    if (from.sameType(to)) {
      return 0;
    }
    if (from instanceof NullType) {
      return 1;
    }
    if (isInteger(from) && isInteger(to)) {
      int steps = INTEGERS.indexOf(to) - INTEGERS.indexOf(from);
      return steps > 0 ? steps : NEVER;
    }
    if (isInteger(from) && to instanceof DecimalType) {
      return 5;
    }
    if (from instanceof DecimalType && to instanceof DecimalType) {
      return 1;
    }
    if ((isInteger(from) || from instanceof DecimalType) && to instanceof DoubleType) {
      return 6;
    }
    if ((isInteger(from) || from instanceof DecimalType) && to instanceof FloatType) {
      return 7;
    }
    if (from instanceof FloatType && to instanceof DoubleType) {
      return 1;
    }
    if (from instanceof StringType && to instanceof StringType) {
      return 0;
    }
    if (from instanceof DateType && to instanceof TimestampNTZType) {
      return 1;
    }
    if ((from instanceof DateType || from instanceof TimestampNTZType) && to instanceof TimestampType) {
      return 2;
    }
    if (from instanceof TimeType && to instanceof TimeType) {
      return 1;
    }
    if (from instanceof DayTimeIntervalType && to instanceof DayTimeIntervalType) {
      return 1;
    }
    if (from instanceof YearMonthIntervalType && to instanceof YearMonthIntervalType) {
      return 1;
    }
    return nestedDistance(from, to);
  }

  private static int nestedDistance(DataType from, DataType to) {
    if (from instanceof ArrayType first && to instanceof ArrayType second) {
      return distance(first.elementType(), second.elementType());
    }
    if (from instanceof MapType first && to instanceof MapType second) {
      return distance(first.keyType(), second.keyType()) + distance(first.valueType(), second.valueType());
    }
    return NEVER;
  }

  /** The name that Trino's messages have for the type of an expression. */
  static String text(Expression expression) {
    String typed = Typed.of(expression);
    return typed != null ? ZONE.matcher(typed).replaceAll("$1") : text(expression.dataType());
  }

  static String text(DataType type) {
    if (type instanceof ByteType) {
      return "tinyint";
    } else if (type instanceof ShortType) {
      return "smallint";
    } else if (type instanceof IntegerType) {
      return "integer";
    } else if (type instanceof LongType) {
      return "bigint";
    } else if (type instanceof FloatType) {
      return "real";
    } else if (type instanceof DoubleType) {
      return "double";
    } else if (type instanceof BooleanType) {
      return "boolean";
    } else if (type instanceof StringType) {
      return "varchar";
    } else if (type instanceof BinaryType) {
      return "varbinary";
    } else if (type instanceof DateType) {
      return "date";
    } else if (type instanceof TimestampNTZType) {
      return "timestamp(6)";
    } else if (type instanceof TimestampType) {
      return "timestamp(6) with time zone";
    } else if (type instanceof TimeType time) {
      return "time(" + time.precision() + ")";
    } else if (type instanceof DayTimeIntervalType) {
      return "interval day to second";
    } else if (type instanceof YearMonthIntervalType) {
      return "interval year to month";
    } else if (type instanceof NullType) {
      return "unknown";
    } else if (type instanceof DecimalType decimal) {
      return "decimal(" + decimal.precision() + "," + decimal.scale() + ")";
    } else if (type instanceof ArrayType array) {
      return "array(" + text(array.elementType()) + ")";
    } else if (type instanceof MapType map) {
      return "map(" + text(map.keyType()) + ", " + text(map.valueType()) + ")";
    } else if (Wide.of(type) != null) {
      return Wide.of(type).toString();
    } else if (type instanceof StructType row) {
      List<String> fields = new ArrayList<>();
      for (StructField field : row.fields()) {
        fields.add(field.name() + " " + text(field.dataType()));
      }
      return "row(" + String.join(", ", fields) + ")";
    }
    return type.simpleString();
  }

  /** The digits of the second's fraction. */
  static int precision(Expression expression) {
    if (expression.dataType() instanceof TimeType time) {
      return time.precision();
    }
    Wide wide = Wide.of(expression);
    if (wide != null) {
      return wide.digits();
    }
    String typed = Typed.of(expression);
    int open = typed == null ? -1 : typed.indexOf('(');
    return open < 0 || !typed.startsWith("timestamp") ? 6 : Integer.parseInt(typed.substring(open + 1, typed.indexOf(')')));
  }
}
