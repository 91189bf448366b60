package sqe.spark.bounds;

import java.util.Locale;
import java.util.function.LongConsumer;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeMapData;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.unsafe.types.UTF8String;

/** The largest value that an expression may make, looked at before it is made. */
public final class Allocation {
  /** Of one text or one binary value. */
  static final long MAX_BYTES = 64L << 20;

  /** Of one array or one map. */
  static final long MAX_ELEMENTS = 10_000_000;

  /** Of everything in one array that a function fills. */
  static final long MAX_ARRAY_BYTES = 256L << 20;

  /** Below this the watch is not called. */
  private static final long LARGE = 1L << 20;

  private static final int SLOT = 16;

  private static volatile LongConsumer watch = bytes -> {};

  private Allocation() {}

  /** Has {@code watch} called with the size of each large value before it is made; it may throw. */
  public static void watchedBy(LongConsumer watch) {
    Allocation.watch = watch;
  }

  /** Asks for memory of a size that is within the bounds. */
  public static void check(long bytes) {
    if (bytes >= LARGE) {
      watch.accept(bytes);
    }
  }

  public static void bytes(String function, long bytes) {
    limit(function, bytes, MAX_BYTES, "bytes");
    check(bytes);
  }

  public static void elements(String function, long elements) {
    limit(function, elements, MAX_ELEMENTS, "elements");
    check(elements * SLOT);
  }

  static void array(String function, long bytes) {
    limit(function, bytes, MAX_ARRAY_BYTES, "bytes");
    check(bytes);
  }

  private static void limit(String function, long size, long limit, String unit) {
    if (size > limit) {
      throw BoundRefusal.tooLarge(
          String.format(
              Locale.ROOT, "%s would make a value of %,d %s; at most %,d are allowed.", function, size, unit, limit));
    }
  }

  /** About how many bytes a value takes; what is in an array that Spark has not packed is not looked at. */
  static long sizeOf(Object value) {
    if (value instanceof UTF8String text) {
      return text.numBytes();
    } else if (value instanceof byte[] bytes) {
      return bytes.length;
    } else if (value instanceof UnsafeArrayData array) {
      return array.getSizeInBytes();
    } else if (value instanceof UnsafeMapData map) {
      return map.getSizeInBytes();
    } else if (value instanceof UnsafeRow row) {
      return row.getSizeInBytes();
    } else if (value instanceof ArrayData array) {
      return (long) SLOT * array.numElements();
    } else if (value instanceof MapData map) {
      return 2L * SLOT * map.numElements();
    } else if (value instanceof InternalRow row) {
      return (long) SLOT * row.numFields();
    }
    return SLOT;
  }
}
