package sqe.spark.trino;

import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;

/** A value as a key of a hash table: NaN and NULL are the same as themselves, and so are both zeros. */
record ValueKey(Object value, DataType type) {
  @Override
  public boolean equals(Object other) {
    return other instanceof ValueKey key && Values.identical(value, key.value, type);
  }

  @Override
  public int hashCode() {
    return hash(value, type);
  }

  private static int hash(Object value, DataType type) {
    if (value == null) {
      return 0;
    } else if (type instanceof DoubleType) {
      return Double.hashCode((double) value + 0.0);
    } else if (type instanceof FloatType) {
      return Float.hashCode((float) value + 0.0f);
    } else if (type instanceof BinaryType) {
      return Arrays.hashCode((byte[]) value);
    } else if (type instanceof ArrayType array) {
      ArrayData data = (ArrayData) value;
      int sum = 1;
      for (int i = 0; i < data.numElements(); i++) {
        sum = 31 * sum + hash(Values.get(data, i, array.elementType()), array.elementType());
      }
      return sum;
    } else if (type instanceof StructType row) {
      int sum = 1;
      for (int i = 0; i < Values.keys(row); i++) {
        DataType field = row.fields()[i].dataType();
        sum = 31 * sum + hash(Values.get((InternalRow) value, i, field), field);
      }
      return sum;
    } else if (type instanceof MapType) {
      return ((MapData) value).numElements();
    }
    return value.hashCode();
  }
}
