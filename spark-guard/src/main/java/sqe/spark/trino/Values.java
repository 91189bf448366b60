package sqe.spark.trino;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** Values of nested types, as Spark has them in memory: when two are equal, and which comes first. */
final class Values {
  private static final int MAX_KEPT = 1_000;
  private static final Map<UTF8String, DataType> TYPES = new ConcurrentHashMap<>();

  private Values() {}

  /** The type that an expression carries as text for each row. */
  static DataType type(UTF8String json) {
    DataType known = TYPES.get(json);
    if (known == null) {
      if (TYPES.size() > MAX_KEPT) {
        TYPES.clear();
      }
      known = DataType.fromJson(json.toString());
      TYPES.put(json.clone(), known);
    }
    return known;
  }

  /** The element or field, as Spark's expressions have it; null for NULL. */
  static Object get(SpecializedGetters from, int ordinal, DataType type) {
    return from.isNullAt(ordinal) ? null : from.get(ordinal, type);
  }

  /** Whether two values are equal; null when a NULL in them leaves it open. */
  static Boolean equal(Object left, Object right, DataType type) {
    if (left == null || right == null) {
      return null;
    }
    if (type instanceof DoubleType) {
      return (double) left == (double) right;
    } else if (type instanceof FloatType) {
      return (float) left == (float) right;
    } else if (type instanceof BinaryType) {
      return Arrays.equals((byte[]) left, (byte[]) right);
    } else if (type instanceof ArrayType array) {
      return equalArrays((ArrayData) left, (ArrayData) right, array.elementType());
    } else if (type instanceof MapType map) {
      return equalMaps((MapData) left, (MapData) right, map);
    } else if (type instanceof StructType row) {
      return equalRows((InternalRow) left, (InternalRow) right, row);
    }
    return left.equals(right);
  }

  private static Boolean equalArrays(ArrayData left, ArrayData right, DataType element) {
    if (left.numElements() != right.numElements()) {
      return false;
    }
    boolean open = false;
    for (int i = 0; i < left.numElements(); i++) {
      Boolean equal = equal(get(left, i, element), get(right, i, element), element);
      if (equal == null) {
        open = true;
      } else if (!equal) {
        return false;
      }
    }
    return open ? null : true;
  }

  /** How many fields of a row decide which rows are equal: not the zone of a time. */
  static int keys(StructType type) {
    Wide wide = Wide.of(type);
    return wide == null ? type.length() : wide.keys();
  }

  private static Boolean equalRows(InternalRow left, InternalRow right, StructType type) {
    boolean open = false;
    for (int i = 0; i < keys(type); i++) {
      DataType field = type.fields()[i].dataType();
      Boolean equal = equal(get(left, i, field), get(right, i, field), field);
      if (equal == null) {
        open = true;
      } else if (!equal) {
        return false;
      }
    }
    return open ? null : true;
  }

  private static Boolean equalMaps(MapData left, MapData right, MapType type) {
    if (left.numElements() != right.numElements()) {
      return false;
    }
    boolean open = false;
    for (int i = 0; i < left.numElements(); i++) {
      Object key = get(left.keyArray(), i, type.keyType());
      int found = indexOf(right.keyArray(), key, type.keyType());
      if (found < 0) {
        return false;
      }
      Boolean equal =
          equal(get(left.valueArray(), i, type.valueType()), get(right.valueArray(), found, type.valueType()), type.valueType());
      if (equal == null) {
        open = true;
      } else if (!equal) {
        return false;
      }
    }
    return open ? null : true;
  }

  /** Where a key is; -1: nowhere. NaN is a key like others. */
  static int indexOf(ArrayData keys, Object key, DataType type) {
    for (int i = 0; i < keys.numElements(); i++) {
      if (identical(get(keys, i, type), key, type)) {
        return i;
      }
    }
    return -1;
  }

  /** Whether two values are the same, NULL and NaN included. */
  static boolean identical(Object left, Object right, DataType type) {
    if (left == null || right == null) {
      return left == right;
    }
    if (type instanceof BinaryType) {
      return Arrays.equals((byte[]) left, (byte[]) right);
    } else if (type instanceof DoubleType) {
      return (double) left == (double) right || (Double.isNaN((double) left) && Double.isNaN((double) right));
    } else if (type instanceof FloatType) {
      return (float) left == (float) right || (Float.isNaN((float) left) && Float.isNaN((float) right));
    } else if (type instanceof ArrayType array) {
      ArrayData one = (ArrayData) left;
      ArrayData other = (ArrayData) right;
      if (one.numElements() != other.numElements()) {
        return false;
      }
      for (int i = 0; i < one.numElements(); i++) {
        if (!identical(get(one, i, array.elementType()), get(other, i, array.elementType()), array.elementType())) {
          return false;
        }
      }
      return true;
    } else if (type instanceof StructType row) {
      for (int i = 0; i < keys(row); i++) {
        StructField field = row.fields()[i];
        if (!identical(
            get((InternalRow) left, i, field.dataType()), get((InternalRow) right, i, field.dataType()), field.dataType())) {
          return false;
        }
      }
      return true;
    } else if (type instanceof MapType map) {
      return identicalMaps((MapData) left, (MapData) right, map);
    }
    return left.equals(right);
  }

  private static boolean identicalMaps(MapData left, MapData right, MapType type) {
    boolean same = left.numElements() == right.numElements();
    for (int i = 0; same && i < left.numElements(); i++) {
      int found = indexOf(right.keyArray(), get(left.keyArray(), i, type.keyType()), type.keyType());
      same = found >= 0
          && identical(get(left.valueArray(), i, type.valueType()), get(right.valueArray(), found, type.valueType()), type.valueType());
    }
    return same;
  }

  /** Which of two values comes first. */
  static int compare(Object left, Object right, DataType type) {
    return compare(left, right, type, false);
  }

  /** Which of two values comes first, with NaN before all numbers, or after them. */
  @SuppressWarnings("unchecked")
  static int compare(Object left, Object right, DataType type, boolean nanFirst) {
    if (left == null || right == null) {
      throw TrinoFailure.unsupportedValue(
          type instanceof StructType ? "ROW comparison not supported for fields with null elements" : "ARRAY comparison not supported for arrays with null elements");
    }
    if (type instanceof ArrayType array) {
      ArrayData one = (ArrayData) left;
      ArrayData other = (ArrayData) right;
      for (int i = 0; i < Math.min(one.numElements(), other.numElements()); i++) {
        int order = compare(get(one, i, array.elementType()), get(other, i, array.elementType()), array.elementType(), nanFirst);
        if (order != 0) {
          return order;
        }
      }
      return Integer.compare(one.numElements(), other.numElements());
    } else if (type instanceof StructType row) {
      for (int i = 0; i < keys(row); i++) {
        DataType field = row.fields()[i].dataType();
        int order = compare(get((InternalRow) left, i, field), get((InternalRow) right, i, field), field, nanFirst);
        if (order != 0) {
          return order;
        }
      }
      return 0;
    } else if (type instanceof BinaryType) {
      return Arrays.compareUnsigned((byte[]) left, (byte[]) right);
    }
    if (nanFirst && TrinoTypes.isFloating(type)) {
      boolean one = Double.isNaN(((Number) left).doubleValue());
      boolean other = Double.isNaN(((Number) right).doubleValue());
      return one || other ? Boolean.compare(other, one) : ((Comparable<Object>) left).compareTo(right);
    }
    return ((Comparable<Object>) left).compareTo(right);
  }
}
