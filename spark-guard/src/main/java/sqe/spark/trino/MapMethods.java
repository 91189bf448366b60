package sqe.spark.trino;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** What {@link MapFunctions} calls for each row. */
public final class MapMethods {
  private MapMethods() {}

  /** The position of an element, where negative ones count from the end; null when there is none. */
  public static Integer index(long index, int size) {
    if (index == 0) {
      throw TrinoFailure.argument("SQL array indices start at 1");
    }
    return Math.abs(index) > size || index == Long.MIN_VALUE ? null : Integer.valueOf((int) index);
  }

  /** True; for arrays of other lengths there is no map. */
  public static boolean sameLength(int keys, int values) {
    if (keys != values) {
      throw TrinoFailure.argument("Key and value arrays must be the same length");
    }
    return true;
  }

  private static MapData made(Map<ValueKey, Object> entries) {
    Object[] keys = entries.keySet().stream().map(ValueKey::value).toArray();
    return new ArrayBasedMapData(new GenericArrayData(keys), new GenericArrayData(entries.values().toArray()));
  }

  private static MapData lists(Map<ValueKey, List<Object>> entries) {
    Map<ValueKey, Object> arrays = new LinkedHashMap<>();
    entries.forEach((key, values) -> arrays.put(key, new GenericArrayData(values.toArray())));
    return made(arrays);
  }

  /** The entries of both; the second one's value of a key that both have. */
  public static MapData concat(MapData first, MapData second, UTF8String json) {
    MapType type = (MapType) Values.type(json);
    Map<ValueKey, Object> entries = new LinkedHashMap<>();
    for (MapData each : List.of(first, second)) {
      for (int i = 0; i < each.numElements(); i++) {
        ValueKey key = new ValueKey(Values.get(each.keyArray(), i, type.keyType()), type.keyType());
        entries.put(key, Values.get(each.valueArray(), i, type.valueType()));
      }
    }
    return made(entries);
  }

  private interface Entry {
    void take(ValueKey key, Object value);
  }

  /** Hand over each row of an array; one that is NULL, or has a NULL as its key, is an error when strict, and else left out. */
  private static void entries(ArrayData array, UTF8String json, boolean strict, Entry entry) {
    StructType row = (StructType) Values.type(json);
    DataType key = row.fields()[0].dataType();
    DataType value = row.fields()[1].dataType();
    for (int i = 0; i < array.numElements(); i++) {
      if (array.isNullAt(i)) {
        if (strict) {
          throw TrinoFailure.argument("map entry cannot be null");
        }
        continue;
      }
      InternalRow each = array.getStruct(i, 2);
      if (!each.isNullAt(0)) {
        entry.take(new ValueKey(Values.get(each, 0, key), key), Values.get(each, 1, value));
      } else if (strict) {
        throw TrinoFailure.argument("map key cannot be null");
      }
    }
  }

  public static MapData fromEntries(ArrayData array, UTF8String json) {
    Map<ValueKey, Object> made = new LinkedHashMap<>();
    entries(
        array,
        json,
        true,
        (key, value) -> {
          if (made.containsKey(key)) {
            throw TrinoFailure.argument("Duplicate keys (" + key.value() + ") are not allowed");
          }
          made.put(key, value);
        });
    return made(made);
  }

  public static MapData multimap(ArrayData array, UTF8String json) {
    Map<ValueKey, List<Object>> made = new LinkedHashMap<>();
    entries(array, json, true, (key, value) -> made.computeIfAbsent(key, none -> new ArrayList<>()).add(value));
    return lists(made);
  }

  public static MapData collectedMultimap(ArrayData array, UTF8String json) {
    Map<ValueKey, List<Object>> made = new LinkedHashMap<>();
    entries(array, json, false, (key, value) -> made.computeIfAbsent(key, none -> new ArrayList<>()).add(value));
    return made.isEmpty() ? null : lists(made);
  }

  /** The first value of each key. */
  public static MapData collectedMap(ArrayData array, UTF8String json) {
    Map<ValueKey, Object> made = new LinkedHashMap<>();
    entries(
        array,
        json,
        false,
        (key, value) -> {
          if (!made.containsKey(key)) {
            made.put(key, value);
          }
        });
    return made.isEmpty() ? null : made(made);
  }

  public static MapData collectedUnion(ArrayData maps, UTF8String json) {
    MapType type = (MapType) Values.type(json);
    if (maps.numElements() == 0) {
      return null;
    }
    Map<ValueKey, Object> made = new LinkedHashMap<>();
    for (int i = 0; i < maps.numElements(); i++) {
      MapData each = maps.getMap(i);
      for (int j = 0; j < each.numElements(); j++) {
        ValueKey key = new ValueKey(Values.get(each.keyArray(), j, type.keyType()), type.keyType());
        if (!made.containsKey(key)) {
          made.put(key, Values.get(each.valueArray(), j, type.valueType()));
        }
      }
    }
    return made(made);
  }

  public static MapData collectedHistogram(ArrayData array, UTF8String json) {
    MapData made = ArrayMethods.histogram(array, json);
    return made.numElements() == 0 ? null : made;
  }
}
