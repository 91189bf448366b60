package sqe.spark.trino.digest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

/** What is expected here is what Trino 476 answered. */
class DigestTest {
  private static final long PRIME = 0x9E3779B185EBCA87L;

  private static String checksum(Object value, DataType type, int precision) {
    long sum = ValueHash.xx(value, type, precision) * PRIME;
    return Base64.getEncoder().encodeToString(ByteBuffer.allocate(8).putLong(Long.reverseBytes(sum)).array());
  }

  @Test
  void hashes() {
    assertEquals("/f+qzGJ0q98=", checksum(UTF8String.fromString("a"), DataTypes.StringType, 6));
    assertEquals("k4/DCrUt5dQ=", checksum(true, DataTypes.BooleanType, 6));
    assertEquals("p894z06pGYg=", checksum(1.5f, DataTypes.FloatType, 6));
    assertEquals("WF+E+IMs+sg=", checksum(Decimal.apply("1.5"), new DecimalType(2, 1), 6));
    assertEquals("DXDJAsFzgnw=", checksum(Decimal.apply("12345678901234567890.50"), new DecimalType(30, 2), 6));
    long instant = 1577836800123456L;
    assertEquals("xstNwH8+2KM=", checksum(instant, DataTypes.TimestampNTZType, 6));
    assertEquals("un4ornv5DwM=", checksum(instant, DataTypes.TimestampType, 6));
    assertEquals("4rjGWUphIFE=", checksum(instant - 456, DataTypes.TimestampType, 3));
    DataType numbers = DataTypes.createArrayType(DataTypes.IntegerType);
    assertEquals("nVq7OL66rCk=", checksum(new GenericArrayData(new Object[] {1, 2}), numbers, 6));
  }

  @Test
  void aSparseSetHasTrinosBytes() {
    HyperLogLog set = new HyperLogLog(4096);
    set.add(1);
    set.add(2);
    set.add(2);
    assertEquals("AgwCAIADRACAIAje", Base64.getEncoder().encodeToString(set.bytes()));
    assertEquals(2, HyperLogLog.read(set.bytes()).cardinality());
  }

  @Test
  void setsOfAnySizeAreMergedAndReadAgain() {
    Random random = new Random(7);
    for (int size : new int[] {10, 500, 5_000, 100_000}) {
      HyperLogLog all = new HyperLogLog(4096);
      HyperLogLog one = new HyperLogLog(4096);
      HyperLogLog other = new HyperLogLog(4096);
      for (int i = 0; i < size; i++) {
        long value = random.nextLong();
        all.add(value);
        (i % 2 == 0 ? one : other).add(value);
      }
      HyperLogLog merged = HyperLogLog.read(one.bytes());
      merged.merge(HyperLogLog.read(other.bytes()));
      assertEquals(all.cardinality(), merged.cardinality());
      assertArrayEquals(all.bytes(), merged.bytes());
      assertArrayEquals(all.bytes(), HyperLogLog.read(all.bytes()).bytes());
      assertEquals(size, all.cardinality(), size * 0.05);
    }
  }

  @Test
  void whatIsNoDigestIsRefused() {
    for (byte[] bytes : List.of(new byte[0], new byte[] {2, 12, 9, 0}, new byte[] {3, 12}, new byte[] {9, 12, 0, 0})) {
      assertThrows(IllegalArgumentException.class, () -> HyperLogLog.read(bytes));
      assertThrows(IllegalArgumentException.class, () -> TDigest.read(bytes));
      assertThrows(IllegalArgumentException.class, () -> QuantileDigest.read(bytes));
      assertThrows(IllegalArgumentException.class, () -> SetDigest.read(bytes));
    }
  }

  @Test
  void valuesBetweenCentroids() {
    TDigest digest = new TDigest();
    digest.add(1, 1);
    digest.add(9, 5);
    assertEquals(7.4, TDigest.read(digest.bytes()).valuesAt(new double[] {0.5})[0]);
    assertThrows(IllegalArgumentException.class, () -> digest.valuesAt(new double[] {2}));
    assertThrows(IllegalArgumentException.class, () -> digest.add(Double.NaN, 1));
    TDigest many = new TDigest();
    for (int i = 0; i < 100_000; i++) {
      many.add((i * 7919L) % 100_000, 1);
    }
    assertEquals(50_000, many.valuesAt(new double[] {0.5})[0], 500);
    assertTrue(many.bytes().length < 10_000);
  }

  @Test
  void quantilesOfIntegers() {
    QuantileDigest digest = new QuantileDigest(0.01);
    for (long value = 1; value <= 4; value++) {
      digest.add(value, 1);
    }
    QuantileDigest read = QuantileDigest.read(digest.bytes());
    assertEquals(3, read.valueAt(0.5));
    assertEquals(4, read.valueAt(1));
    assertEquals(0.25, read.quantileAt(2));
    assertNull(read.quantileAt(100));
    QuantileDigest other = new QuantileDigest(0.01);
    other.add(-7, 10);
    read.merge(other);
    assertEquals(-7, read.valueAt(0.5));
    assertEquals(4, read.valueAt(1));
  }

  @Test
  void digestsOfSets() {
    SetDigest one = new SetDigest();
    SetDigest other = new SetDigest();
    for (int i = 1; i <= 3; i++) {
      one.add(i);
      other.add(i + 1);
    }
    other.add(2);
    assertEquals((short) 2, other.counts().get(-2447670524089286488L));
    SetDigest read = SetDigest.read(one.bytes());
    assertEquals(3, read.cardinality());
    assertEquals(1.0 / 3, SetDigest.jaccard(read, other));
    assertEquals(2, SetDigest.intersection(read, other));
    read.merge(other);
    assertEquals(4, read.cardinality());
    assertEquals((short) 3, read.counts().get(-2447670524089286488L));
  }

  @Test
  void bucketsThatAreNearAreOne() {
    NumericHistogram histogram = new NumericHistogram(2);
    for (double value : new double[] {11, 1, 2, 10}) {
      histogram.add(value, 1);
    }
    NumericHistogram read = NumericHistogram.read(histogram.bytes());
    assertArrayEquals(new double[] {1.5, 10.5}, read.buckets()[0]);
    assertArrayEquals(new double[] {2, 2}, read.buckets()[1]);
    assertThrows(IllegalArgumentException.class, () -> new NumericHistogram(1L << 40));
  }

  @Test
  void aFullSetOfCountersLosesTheLeast() {
    FrequentValues values = new FrequentValues(2, 2);
    for (byte each : new byte[] {1, 2, 3, 1, 1, 4}) {
      values.add(new byte[] {each}, 1);
    }
    List<Map.Entry<byte[], Long>> found = FrequentValues.read(values.bytes()).most();
    assertEquals(List.of((byte) 1, (byte) 4), found.stream().map(each -> each.getKey()[0]).toList());
    assertEquals(List.of(3L, 3L), found.stream().map(Map.Entry::getValue).toList());
  }
}
