package sqe.spark.trino;

import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;

/** Integers in the order of the numbers that they stand for, which is how a qdigest keeps numbers. */
final class SortableBits {
  private SortableBits() {}

  static long of(Object value) {
    if (value instanceof Double number) {
      long bits = Double.doubleToLongBits(number);
      return bits ^ (bits >> 63 & Long.MAX_VALUE);
    }
    if (value instanceof Float number) {
      int bits = Float.floatToIntBits(number);
      return bits ^ (bits >> 31 & Integer.MAX_VALUE);
    }
    return (long) value;
  }

  /** The number of a sortable one. */
  static Object value(long value, DataType type) {
    if (type instanceof DoubleType) {
      return Double.longBitsToDouble(value ^ (value >> 63 & Long.MAX_VALUE));
    }
    if (type instanceof FloatType) {
      int bits = (int) value;
      return Float.intBitsToFloat(bits ^ (bits >> 31 & Integer.MAX_VALUE));
    }
    return value;
  }
}
