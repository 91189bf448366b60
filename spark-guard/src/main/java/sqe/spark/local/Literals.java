package sqe.spark.local;

import java.time.LocalDate;
import java.util.HexFormat;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.types.StringType$;
import org.apache.spark.unsafe.types.UTF8String;

/** Constants as DuckDB reads them, each with its type. */
final class Literals {
  private static final long LAST_DAY = LocalDate.of(9999, 12, 31).toEpochDay();
  private static final long FIRST_DAY = LocalDate.of(1, 1, 1).toEpochDay();
  private static final long MICROS_OF_DAY = 86_400_000_000L;

  private Literals() {}

  /** A value of Spark's internal form. */
  static String of(Object value, DataType type) {
    if (type instanceof NullType) {
      return "NULL";
    }
    String name = Types.name(type);
    if (value == null) {
      return "CAST(NULL AS " + name + ")";
    }
    if (type instanceof BooleanType) {
      return value.toString();
    }
    if (type == StringType$.MODULE$) {
      UTF8String text = (UTF8String) value;
      if (!text.isValid()) {
        throw new NotRendered("text that is not UTF-8");
      }
      return quoted(text.toString());
    }
    if (type instanceof BinaryType) {
      return "unhex('" + HexFormat.of().formatHex((byte[]) value) + "')";
    }
    return "CAST(" + quoted(text(value, type)) + " AS " + name + ")";
  }

  private static String text(Object value, DataType type) {
    if (type instanceof IntegralType || type instanceof DoubleType || type instanceof FloatType) {
      return value.toString();
    }
    if (type instanceof DecimalType) {
      return ((Decimal) value).toJavaBigDecimal().toPlainString();
    }
    if (type instanceof DateType) {
      return day((Integer) value);
    }
    if (type instanceof TimestampType || type instanceof TimestampNTZType) {
      long micros = (Long) value;
      long rest = Math.floorMod(micros, MICROS_OF_DAY);
      long second = rest / 1_000_000;
      String time =
          String.format("%02d:%02d:%02d.%06d", second / 3600, second / 60 % 60, second % 60, rest % 1_000_000);
      String zone = type instanceof TimestampType ? "+00" : "";
      return day(Math.floorDiv(micros, MICROS_OF_DAY)) + " " + time + zone;
    }
    throw new NotRendered("constant of type " + type.typeName());
  }

  private static String day(long day) {
    if (day < FIRST_DAY || day > LAST_DAY) {
      throw new NotRendered("date outside the years 1 to 9999");
    }
    return LocalDate.ofEpochDay(day).toString();
  }

  static String quoted(String text) {
    if (text.indexOf('\0') >= 0) {
      throw new NotRendered("text with a NUL character");
    }
    return "'" + text.replace("'", "''") + "'";
  }
}
