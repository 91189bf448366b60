package sqe.spark.bounds;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BaseGenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * The number of bytes that a function has to read. A value that is in an array or a struct many times counts as often, although it is in
 * memory once.
 */
final class Weight implements Serializable {
  private static final int NUMBER = 8;

  /** Beyond this nothing is counted any more. */
  private static final long ENOUGH = 1L << 40;

  private long bytes;

  void clear() {
    bytes = 0;
  }

  /** Adds a value and returns the sum. */
  long add(Object value) {
    bytes += of(value);
    return bytes;
  }

  static long of(Object value) {
    if (value instanceof GenericArrayData array) {
      return ofAll(array.array());
    } else if (value instanceof MapData map) {
      return of(map.keyArray()) + of(map.valueArray());
    } else if (value instanceof BaseGenericInternalRow row) {
      long sum = 0;
      for (int each = 0; each < ((InternalRow) row).numFields(); each++) {
        sum += of(row.genericGet(each));
      }
      return sum;
    } else if (value instanceof UTF8String || value instanceof byte[] || value instanceof ArrayData || value instanceof InternalRow) {
      return Allocation.sizeOf(value);
    }
    return NUMBER;
  }

  private static long ofAll(Object[] values) {
    long sum = (long) NUMBER * values.length;
    for (Object each : values) {
      if (each instanceof Number || each instanceof Boolean) {
        return sum; // and so are the others
      }
      sum += each == null ? 0 : of(each);
      if (sum > ENOUGH) {
        return sum;
      }
    }
    return sum;
  }

  /** Two sums are equal: an expression is the same whatever it was last called with. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Weight;
  }

  @Override
  public int hashCode() {
    return Weight.class.hashCode();
  }
}
