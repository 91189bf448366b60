package sqe.spark.trino;

import static sqe.spark.trino.Expressions.invoke;
import static sqe.spark.trino.Expressions.literal;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.catalyst.expressions.CreateNamedStruct;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimeType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import scala.Option;
import sqe.spark.Plans;

/**
 * A type of Trino's whose values are wider than those of any of Spark's types: times and timestamps of more than six digits of a
 * second, times with an offset, and timestamps that each have a zone of their own.
 *
 * <p>To Spark they are structs. The name of the first field says which type of Trino's it is, so that no metadata can be lost. The
 * first fields have the order of the values, and a zone or an offset comes after them: values that differ in it alone are
 * equal to Trino, which {@link WideKeys} looks after.
 */
record Wide(Kind kind, int digits) {
  enum Kind {
    TIME("time"),
    TIME_ZONED("time with time zone"),
    TIMESTAMP("timestamp"),
    TIMESTAMP_ZONED("timestamp with time zone");

    final String type;

    Kind(String type) {
      this.type = type;
    }

    boolean isTime() {
      return this == TIME || this == TIME_ZONED;
    }

    boolean isZoned() {
      return this == TIME_ZONED || this == TIMESTAMP_ZONED;
    }
  }

  /** The digits of a second that Spark's own types have. */
  static final int SPARK_DIGITS = 6;

  static final int MAX_DIGITS = 12;

  /** Before the name of the type in the name of the first field; {@code engine/wide_times.py} knows it. */
  private static final String MARK = "trino ";

  private static final Pattern NAME = Pattern.compile(MARK + "(timestamp|time)\\((\\d{1,2})\\)( with time zone)?");

  /** The type of Spark's values; null: Spark's own, or a row. */
  static Wide of(DataType type) {
    if (!(type instanceof StructType row) || row.length() == 0 || !row.fields()[0].name().startsWith(MARK)) {
      return null;
    }
    Matcher name = NAME.matcher(row.fields()[0].name());
    if (!name.matches()) {
      return null;
    }
    boolean zoned = name.group(3) != null;
    Kind kind = name.group(1).equals("time") ? zoned ? Kind.TIME_ZONED : Kind.TIME : zoned ? Kind.TIMESTAMP_ZONED : Kind.TIMESTAMP;
    Wide wide = new Wide(kind, Integer.parseInt(name.group(2)));
    return wide.spark().sameType(row) ? wide : null;
  }

  static Wide of(Expression value) {
    // A call of a method has its type before the calls in its arguments are resolved.
    return value.resolved() || Typed.plain(value) instanceof StaticInvoke ? of(value.dataType()) : null;
  }

  /** Whether values of this type, or in values of it, are wide. */
  static boolean isIn(DataType type) {
    if (type instanceof ArrayType array) {
      return isIn(array.elementType());
    }
    if (type instanceof MapType map) {
      return isIn(map.keyType()) || isIn(map.valueType());
    }
    if (type instanceof StructType row && of(type) == null) {
      for (StructField field : row.fields()) {
        if (isIn(field.dataType())) {
          return true;
        }
      }
      return false;
    }
    return of(type) != null;
  }

  StructType spark() {
    List<StructField> fields = new ArrayList<>();
    DataType first =
        kind.isTime() ? DataTypes.LongType : kind.isZoned() ? DataTypes.TimestampType : DataTypes.TimestampNTZType;
    fields.add(new StructField(MARK + this, first, true, Metadata.empty()));
    if (!kind.isTime()) {
      fields.add(new StructField("picos", DataTypes.IntegerType, true, Metadata.empty()));
    }
    if (kind.isZoned()) {
      boolean offset = kind.isTime();
      fields.add(
          new StructField(
              offset ? "offset" : "zone", offset ? DataTypes.IntegerType : DataTypes.StringType, true, Metadata.empty()));
    }
    if (kind == Kind.TIMESTAMP_ZONED) { // the gateway displays the local time, and knows no zones of other years
      fields.add(new StructField("seconds", DataTypes.IntegerType, true, Metadata.empty()));
    }
    return new StructType(fields.toArray(new StructField[0]));
  }

  /** Trino's name of the type. */
  @Override
  public String toString() {
    return TrinoType.ofTime(kind.type, digits).toString();
  }

  /** How many of the first fields decide which values are equal. */
  int keys() {
    return kind.isTime() ? 1 : 2;
  }

  private static Expression field(Expression value, int ordinal) {
    return new GetStructField(Typed.plain(value), ordinal, Option.empty());
  }

  /** Spark's own type of the wide value without what makes it wide; the value's type otherwise. */
  static DataType type(Expression value) {
    Wide wide = of(value);
    return wide == null ? value.dataType() : wide.spark().fields()[0].dataType();
  }

  /** The value as one of {@link #type}. A time becomes its picoseconds, in UTC when it has an offset. */
  static Expression plain(Expression value) {
    return of(value) == null ? Typed.plain(value) : field(value, 0);
  }

  /** The picoseconds of a timestamp's last microsecond. */
  static Expression picos(Expression value) {
    Wide wide = of(value);
    return wide == null || wide.kind().isTime() ? literal(0) : field(value, 1);
  }

  /** The zone of a timestamp, or the minutes of a time's offset; null where the type has none. */
  static Expression zone(Expression value) {
    Wide wide = of(value);
    return wide == null || !wide.kind().isZoned() ? null : field(value, wide.keys());
  }

  static boolean isTime(Expression value) {
    Wide wide = of(value);
    return wide != null && wide.kind().isTime();
  }

  /** A wide timestamp like another, at another point in time. */
  static Expression at(Expression like, Expression moment, Expression picos) {
    Wide wide = of(like);
    return wide.kind() == Kind.TIMESTAMP
        ? timestamp(moment, picos, wide.digits())
        : zoned(moment, picos, zone(like), wide.digits());
  }

  static Expression timestamp(Expression local, Expression picos, int digits) {
    Wide wide = new Wide(Kind.TIMESTAMP, digits);
    return wide.named(invoke(WideMethods.class, "timestamp", wide.spark(), local, picos, literal(digits)));
  }

  static Expression zoned(Expression instant, Expression picos, Expression zone, int digits) {
    Wide wide = new Wide(Kind.TIMESTAMP_ZONED, digits);
    return wide.named(invoke(WideMethods.class, "zoned", wide.spark(), instant, picos, zone, literal(digits)));
  }

  static Expression time(Expression picos, int digits) {
    Wide wide = new Wide(Kind.TIME, digits);
    return wide.named(invoke(WideMethods.class, "time", wide.spark(), picos, literal(digits)));
  }

  /** Of the local time and the offset. */
  static Expression timeZoned(Expression picos, Expression offset, int digits) {
    Wide wide = new Wide(Kind.TIME_ZONED, digits);
    return wide.named(invoke(WideMethods.class, "timeZoned", wide.spark(), picos, offset, literal(digits)));
  }

  Expression named(Expression value) {
    return Typed.as(value, toString());
  }

  /** Trino's type of a date or time, also of one that Spark has; null for others. */
  static TrinoType typeOf(Expression value) {
    DataType type = value.dataType();
    Wide wide = of(type);
    if (wide != null) {
      return TrinoType.ofTime(wide.kind().type, wide.digits());
    } else if (type instanceof DateType) {
      return TrinoType.of("date");
    } else if (type instanceof TimeType time) {
      return TrinoType.ofTime("time", time.precision());
    } else if (type instanceof TimestampNTZType) {
      return TrinoType.ofTime("timestamp", TrinoTypes.precision(value));
    } else if (type instanceof TimestampType) {
      return TrinoType.ofTime("timestamp with time zone", TrinoTypes.precision(value));
    }
    return null;
  }

  /** The type that both become without a cast; null when there is none. */
  static TrinoType common(TrinoType left, TrinoType right) {
    if (left == null || right == null) {
      return null;
    }
    if (left.equals(right)) {
      return left;
    }
    boolean dates = left.name().equals("date") || right.name().equals("date");
    boolean times = isTimeName(left) || isTimeName(right);
    if ((dates && times) || isTimeName(left) != isTimeName(right)) {
      return null;
    }
    boolean zoned = left.name().endsWith("zone") || right.name().endsWith("zone");
    int digits = Math.max(digits(left), digits(right));
    return TrinoType.ofTime((times ? "time" : "timestamp") + (zoned ? " with time zone" : ""), digits);
  }

  private static boolean isTimeName(TrinoType type) {
    return type.name().equals("time") || type.name().equals("time with time zone");
  }

  private static int digits(TrinoType type) {
    return type.numbers().isEmpty() ? 0 : type.numbers().get(0);
  }

  /** Whether values need a wide type to be together: one has it, or their zones differ. */
  static boolean isNeeded(List<Expression> values) {
    String zone = null;
    boolean first = true;
    for (Expression each : values) {
      if (of(each) != null) {
        return true;
      }
      if (each.dataType() instanceof TimestampType) {
        String other = String.valueOf(Typed.zone(each));
        if (!first && !other.equals(zone) && !Typed.OWN_ZONES.equals(other) && !Typed.OWN_ZONES.equals(zone)) {
          return true;
        }
        first = false;
        zone = other;
      }
    }
    return false;
  }

  /** The values in the type that all of them become without a cast; null when there is none. NULLs are of any type. */
  static List<Expression> unified(List<Expression> values) {
    TrinoType type = null;
    for (Expression each : values) {
      if (!(each.dataType() instanceof NullType)) {
        TrinoType own = typeOf(each);
        type = type == null ? own : common(type, own);
        if (type == null) {
          return null;
        }
      }
    }
    List<Expression> made = new ArrayList<>();
    for (Expression each : values) {
      made.add(widened(each, type));
    }
    return made;
  }

  /** The value in a type, and with its zone even where that is the same for all rows. */
  static Expression widened(Expression value, TrinoType type) {
    boolean zoned = type.name().equals("timestamp with time zone");
    int digits = digits(type);
    DataType spark = zoned ? new Wide(Kind.TIMESTAMP_ZONED, digits).spark() : type.spark();
    if (value.dataType() instanceof NullType) {
      return Typed.as(Expressions.nothing(spark), type.toString());
    }
    // A cast has the value in it several times, and each UNION in a UNION would cast once more.
    if (of(spark) != null && of(spark).equals(of(value))) {
      return value;
    }
    Expression made = Casts.to(value, type);
    if (!zoned || of(made) != null) {
      return made;
    }
    Expression zone = value.dataType() instanceof TimestampType ? DateTimes.zone(value) : Expressions.call("current_timezone");
    return zoned(Typed.plain(made), literal(0), zone, digits);
  }

  /** What Spark compares in the place of a value of a type. */
  static Expression key(Expression value, TrinoType type) {
    Expression made = Casts.to(value, type);
    Wide wide = of(made);
    return wide == null ? Typed.plain(made) : key(made);
  }

  /** The fields of a wide value that decide about equality. */
  static Expression key(Expression value) {
    Wide wide = of(value);
    if (wide.kind().isTime() || wide.digits() <= SPARK_DIGITS) {
      return field(value, 0);
    }
    Expression made =
        new CreateNamedStruct(Plans.seq(List.of(literal("time"), field(value, 0), literal("picos"), field(value, 1))));
    return new If(new IsNull(Typed.plain(value)), Expressions.nothing(made.dataType()), made);
  }
}
