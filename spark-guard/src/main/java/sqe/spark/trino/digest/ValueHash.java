package sqe.spark.trino.digest;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.commons.codec.digest.MurmurHash3;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimeType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/** Trino's hashes of values, by the type that they have there. */
public final class ValueHash {
  private static final int SHORT_DECIMAL = 18;
  private static final long PICOSECONDS = 1_000;
  private static final long MICROSECONDS_OF_MILLISECOND = 1_000;
  private static final long PICOSECONDS_OF_MICROSECOND = 1_000_000;

  private ValueHash() {}

  /** The first half of the 128 bits of MurmurHash3. */
  static long murmur(byte[] bytes) {
    return MurmurHash3.hash128x64(bytes)[0];
  }

  static long murmur(long value) {
    return murmur(ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array());
  }

  private static long hash(long value) {
    return XXH64.hashLong(value, 0);
  }

  private static long hash(byte[] bytes) {
    return XXH64.hashUnsafeBytes(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length, 0);
  }

  /** Whether there is a hash of values of a type. */
  public static boolean has(DataType type) {
    if (type instanceof ArrayType array) {
      return has(array.elementType());
    } else if (type instanceof MapType map) {
      return has(map.keyType()) && has(map.valueType());
    }
    return !(type instanceof StructType);
  }

  /** Trino's operator {@code xx_hash_64}; of NULL 0. */
  public static long xx(Object value, DataType type, int precision) {
    if (value == null) {
      return 0;
    } else if (value instanceof UTF8String text) {
      return hash(text.getBytes());
    } else if (type instanceof BinaryType) {
      return hash((byte[]) value);
    } else if (type instanceof BooleanType) {
      return hash((boolean) value ? 1L : 0L);
    } else if (type instanceof DoubleType) {
      return hash(Double.doubleToLongBits((double) value + 0.0));
    } else if (type instanceof FloatType) {
      return hash((long) Float.floatToIntBits((float) value + 0.0f));
    } else if (type instanceof DecimalType decimal) {
      return ofDecimal((Decimal) value, decimal);
    } else if (type instanceof TimestampType) {
      return ofInstant((long) value, precision);
    } else if (type instanceof TimeType) {
      return hash((long) value * PICOSECONDS); // Spark counts nanoseconds
    } else if (type instanceof DayTimeIntervalType) {
      return hash((long) value / MICROSECONDS_OF_MILLISECOND);
    } else if (type instanceof ArrayType array) {
      return ofArray((ArrayData) value, array.elementType(), precision);
    } else if (type instanceof MapType map) {
      return ofMap((MapData) value, map, precision);
    }
    return hash(((Number) value).longValue());
  }

  private static long ofDecimal(Decimal value, DecimalType type) {
    BigInteger unscaled = value.toJavaBigDecimal().setScale(type.scale()).unscaledValue();
    if (type.precision() <= SHORT_DECIMAL) {
      return hash(unscaled.longValueExact());
    }
    return hash(unscaled.shiftRight(Long.SIZE).longValue()) ^ hash(unscaled.longValue());
  }

  private static long ofInstant(long micros, int precision) {
    long millis = Math.floorDiv(micros, MICROSECONDS_OF_MILLISECOND);
    if (precision <= 3) {
      return hash(millis);
    }
    return hash(millis) ^ hash(Math.floorMod(micros, MICROSECONDS_OF_MILLISECOND) * PICOSECONDS_OF_MICROSECOND);
  }

  private static long ofArray(ArrayData values, DataType type, int precision) {
    long sum = 0;
    for (int i = 0; i < values.numElements(); i++) {
      sum = 31 * sum + (values.isNullAt(i) ? 0 : xx(values.get(i, type), type, precision));
    }
    return sum;
  }

  private static long ofMap(MapData values, MapType type, int precision) {
    ArrayData keys = values.keyArray();
    ArrayData all = values.valueArray();
    long sum = 0;
    for (int i = 0; i < values.numElements(); i++) {
      long key = xx(keys.get(i, type.keyType()), type.keyType(), precision);
      sum += key ^ (all.isNullAt(i) ? 0 : xx(all.get(i, type.valueType()), type.valueType(), precision));
    }
    return sum;
  }
}
