package sqe.spark.trino;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import sqe.spark.trino.digest.ValueHash;

/** The sum of the hashes of all values. */
record Checksum(DataType input, int precision) implements StateAggregate.Kind {
  private static final long PRIME = 0x9E3779B185EBCA87L;

  @Override
  public String function() {
    return "checksum";
  }

  @Override
  public DataType type() {
    return DataTypes.BinaryType;
  }

  @Override
  public boolean nulls() {
    return true;
  }

  @Override
  public Object add(Object state, Object[] values) {
    long sum = state == null ? 0 : (long) state;
    return sum + (values[0] == null ? PRIME : ValueHash.xx(values[0], input, precision) * PRIME);
  }

  @Override
  public Object merge(Object state, Object other) {
    return (long) state + (long) other;
  }

  @Override
  public byte[] write(Object state) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong((long) state).array();
  }

  @Override
  public Object read(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  @Override
  public Object result(Object state) {
    return state == null ? null : write(state);
  }
}
