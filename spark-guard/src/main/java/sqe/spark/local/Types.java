package sqe.spark.local;

import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType$;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;

/** DuckDB's names of Spark's types. Only types with the same values and the same order are here. */
final class Types {
  private Types() {}

  static String name(DataType type) {
    if (type instanceof DecimalType decimal) {
      return "DECIMAL(" + decimal.precision() + "," + decimal.scale() + ")";
    }
    if (type == StringType$.MODULE$) { // no collations, no char(n)
      return "VARCHAR";
    }
    if (type instanceof BooleanType) {
      return "BOOLEAN";
    }
    if (type instanceof ByteType) {
      return "TINYINT";
    }
    if (type instanceof ShortType) {
      return "SMALLINT";
    }
    if (type instanceof IntegerType) {
      return "INTEGER";
    }
    if (type instanceof LongType) {
      return "BIGINT";
    }
    if (type instanceof FloatType) {
      return "FLOAT";
    }
    if (type instanceof DoubleType) {
      return "DOUBLE";
    }
    if (type instanceof BinaryType) {
      return "BLOB";
    }
    if (type instanceof DateType) {
      return "DATE";
    }
    if (type instanceof TimestampType) {
      return "TIMESTAMPTZ";
    }
    if (type instanceof TimestampNTZType) {
      return "TIMESTAMP";
    }
    throw new NotRendered("type " + type.typeName());
  }

  static boolean isFloating(DataType type) {
    return type instanceof DoubleType || type instanceof FloatType;
  }

  static boolean isIntegral(DataType type) {
    return type instanceof IntegralType;
  }

  /** How many decimal digits every value of an integral type fits in. */
  static int digits(DataType type) {
    return type instanceof ByteType ? 3 : type instanceof ShortType ? 5 : type instanceof IntegerType ? 10 : 19;
  }
}
