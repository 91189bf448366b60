package sqe.spark.trino;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.IntFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import sqe.spark.bounds.Interrupts;

/** What {@link ArrayFunctions} calls for each row; an element is handed over in an array of its own. */
public final class ArrayMethods {
  private static final int MAX_ENTRIES = 10_000;
  private static final int MAX_COMBINATION = 5;
  private static final int MAX_COMBINED = 100_000;
  private static final int MAX_NGRAM_ELEMENTS = 4_000_000;
  private static final long MAX_COMPARISONS = 100_000_000;
  private static final long DAY_MICROS = 86_400_000_000L;

  private ArrayMethods() {}

  static Object[] elements(ArrayData array, DataType type) {
    Object[] all = new Object[array.numElements()];
    for (int i = 0; i < all.length; i++) {
      all[i] = Values.get(array, i, type);
    }
    return all;
  }

  private static boolean isEqual(Object left, Object right, DataType type) {
    Boolean equal = Values.equal(left, right, type);
    if (equal == null) {
      throw TrinoFailure.unsupportedValue("array contains does not support arrays with elements that are null or contain null");
    }
    return equal;
  }

  public static Boolean contains(ArrayData array, ArrayData element, UTF8String json) {
    DataType type = Values.type(json);
    Object wanted = Values.get(element, 0, type);
    if (wanted == null) {
      return null;
    }
    boolean open = false;
    for (int i = 0; i < array.numElements(); i++) {
      Object each = Values.get(array, i, type);
      if (each == null) {
        open = true;
      } else if (isEqual(each, wanted, type)) {
        return true;
      }
    }
    return open ? null : false;
  }

  public static Long position(ArrayData array, ArrayData element, UTF8String json) {
    DataType type = Values.type(json);
    Object wanted = Values.get(element, 0, type);
    if (wanted == null) {
      return null;
    }
    for (int i = 0; i < array.numElements(); i++) {
      Object each = Values.get(array, i, type);
      if (each != null && isEqual(each, wanted, type)) {
        return i + 1L;
      }
    }
    return 0L;
  }

  public static ArrayData remove(ArrayData array, ArrayData element, UTF8String json) {
    DataType type = Values.type(json);
    Object wanted = Values.get(element, 0, type);
    if (wanted == null) {
      return null;
    }
    List<Object> kept = new ArrayList<>();
    for (Object each : elements(array, type)) {
      if (each == null || !isEqual(each, wanted, type)) {
        kept.add(each);
      }
    }
    return new GenericArrayData(kept.toArray());
  }

  /** NaN is neither the least nor the greatest while there is a number. */
  static int order(Object left, Object right, DataType type, boolean most) {
    if (type instanceof DoubleType || type instanceof FloatType) {
      double one = ((Number) left).doubleValue();
      double other = ((Number) right).doubleValue();
      if (Double.isNaN(one) || Double.isNaN(other)) {
        int order = Boolean.compare(Double.isNaN(one), Double.isNaN(other));
        return most ? -order : order;
      }
      return one < other ? -1 : one > other ? 1 : 0;
    }
    if (type instanceof ArrayType array) {
      ArrayData one = (ArrayData) left;
      ArrayData other = (ArrayData) right;
      int size = Math.min(one.numElements(), other.numElements());
      int order = items(one, other, size, at -> array.elementType(), type, most);
      return order != 0 ? order : Integer.compare(one.numElements(), other.numElements());
    }
    if (type instanceof StructType row) {
      return items((InternalRow) left, (InternalRow) right, Values.keys(row), at -> row.fields()[at].dataType(), type, most);
    }
    return Values.compare(left, right, type);
  }

  private static int items(
      SpecializedGetters left, SpecializedGetters right, int size, IntFunction<DataType> types, DataType type, boolean most) {
    for (int i = 0; i < size; i++) {
      Object one = Values.get(left, i, types.apply(i));
      Object other = Values.get(right, i, types.apply(i));
      // One that is NULL fails as a whole.
      int order = one == null || other == null ? Values.compare(null, null, type) : order(one, other, types.apply(i), most);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  /** Where the least or greatest element is, from 1; null when there is none, or a NULL. */
  public static Integer extreme(ArrayData array, boolean most, UTF8String json) {
    DataType type = Values.type(json);
    Object best = null;
    int at = -1;
    for (int i = 0; i < array.numElements(); i++) {
      Object each = Values.get(array, i, type);
      if (each == null) {
        return null;
      }
      int order = best == null ? -1 : order(each, best, type, most);
      if (best == null || (most ? order > 0 : order < 0)) {
        best = each;
        at = i;
      }
    }
    return at < 0 ? null : at + 1;
  }

  /** Sorted with NULLs last; an error for elements that cannot be compared for NULLs in them. */
  public static ArrayData sorted(ArrayData array, UTF8String json) {
    DataType type = Values.type(json);
    List<Object> values = new ArrayList<>();
    int nothing = 0;
    for (int i = 0; i < array.numElements(); i++) {
      Object each = Values.get(array, i, type);
      if (each == null) {
        nothing++;
      } else {
        values.add(each);
      }
    }
    values.sort((one, other) -> {
      Interrupts.check();
      return Values.compare(one, other, type);
    });
    for (int i = 0; i < nothing; i++) {
      values.add(null);
    }
    return new GenericArrayData(values.toArray());
  }

  /** What a lambda says of the order of two elements. */
  public static int order(Long order) {
    if (order == null || order < -1 || order > 1) {
      throw TrinoFailure.argument("Lambda comparator must return either -1, 0, or 1");
    }
    return order.intValue();
  }

  public static ArrayData combinations(ArrayData array, long n, UTF8String json) {
    int size = array.numElements();
    if (n < 0) {
      throw TrinoFailure.argument("combination size must not be negative: " + n);
    }
    if (n > MAX_COMBINATION) {
      throw TrinoFailure.argument("combination size must not exceed " + MAX_COMBINATION + ": " + n);
    }
    if (n > size) {
      return new GenericArrayData(new Object[0]);
    }
    double count = 1;
    for (int i = 1; i <= n; i++) {
      count = count * (size - n + i) / i;
    }
    if (count * n > MAX_COMBINED) {
      throw TrinoFailure.argument("combinations exceed max size");
    }
    Object[] all = elements(array, Values.type(json));
    int[] chosen = new int[(int) n];
    for (int i = 0; i < n; i++) {
      chosen[i] = i;
    }
    List<Object> made = new ArrayList<>();
    do {
      Object[] one = new Object[chosen.length];
      for (int i = 0; i < one.length; i++) {
        one[i] = all[chosen[i]];
      }
      made.add(new GenericArrayData(one));
    } while (advance(chosen, size));
    return new GenericArrayData(made.toArray());
  }

  /** Choose the next positions, the first ones moving fastest. */
  private static boolean advance(int[] chosen, int size) {
    for (int i = 0; i < chosen.length; i++) {
      int limit = i + 1 < chosen.length ? chosen[i + 1] : size;
      if (chosen[i] + 1 < limit) {
        chosen[i]++;
        for (int before = 0; before < i; before++) {
          chosen[before] = before;
        }
        return true;
      }
    }
    return false;
  }

  public static ArrayData ngrams(ArrayData array, long n, UTF8String json) {
    if (n <= 0) {
      throw TrinoFailure.argument("N must be positive");
    }
    Object[] all = elements(array, Values.type(json));
    int length = (int) Math.min(all.length, n);
    int count = all.length - length + 1;
    if ((long) count * length > MAX_NGRAM_ELEMENTS) {
      throw TrinoFailure.argument("The result of ngrams is too large.");
    }
    Object[] made = new Object[count];
    for (int i = 0; i < count; i++) {
      made[i] = new GenericArrayData(java.util.Arrays.copyOfRange(all, i, i + length));
    }
    return new GenericArrayData(made);
  }

  public static boolean containsSequence(ArrayData array, ArrayData sequence, UTF8String json) {
    DataType type = Values.type(json);
    int most = array.numElements() - sequence.numElements();
    if ((long) Math.max(most, 0) * sequence.numElements() > MAX_COMPARISONS) {
      throw TrinoFailure.argument("The arrays of contains_sequence are too large.");
    }
    for (int start = 0; start <= most; start++) {
      int matched = 0;
      while (matched < sequence.numElements()
          && Values.identical(Values.get(array, start + matched, type), Values.get(sequence, matched, type), type)) {
        matched++;
      }
      if (matched == sequence.numElements()) {
        return true;
      }
    }
    return false;
  }

  public static int repetitions(long count) {
    if (count > MAX_ENTRIES) {
      throw TrinoFailure.argument("count argument of repeat function must be less than or equal to " + MAX_ENTRIES);
    }
    if (count < 0) {
      throw TrinoFailure.argument("count argument of repeat function must be greater than or equal to 0");
    }
    return (int) count;
  }

  private static int length(long start, long stop, long step) {
    if (step == 0) {
      throw TrinoFailure.argument("step must not be zero");
    }
    if (step > 0 ? stop < start : stop > start) {
      throw TrinoFailure.argument(
          "sequence stop value should be greater than or equal to start value if step is greater than zero otherwise "
              + "stop should be less than or equal to start");
    }
    double rough = ((double) stop - (double) start) / (double) step;
    if (rough > 2 * MAX_ENTRIES || (stop - start) / step + 1 > MAX_ENTRIES) {
      throw TrinoFailure.argument("result of sequence function must not have more than " + MAX_ENTRIES + " entries");
    }
    return (int) ((stop - start) / step) + 1;
  }

  public static ArrayData numbers(long start, long stop) {
    return numbers(start, stop, stop >= start ? 1 : -1);
  }

  public static ArrayData numbers(long start, long stop, long step) {
    long[] made = new long[length(start, stop, step)];
    for (int i = 0; i < made.length; i++) {
      made[i] = start + i * step;
    }
    return new GenericArrayData(made);
  }

  public static ArrayData dates(int start, int stop) {
    return days(start, stop, stop >= start ? 1 : -1);
  }

  public static ArrayData dates(int start, int stop, long micros) {
    if (micros % DAY_MICROS != 0) {
      throw TrinoFailure.argument("sequence step must be a day interval if start and end values are dates");
    }
    return days(start, stop, micros / DAY_MICROS);
  }

  private static ArrayData days(int start, int stop, long step) {
    int[] made = new int[length(start, stop, step)];
    for (int i = 0; i < made.length; i++) {
      made[i] = (int) (start + i * step);
    }
    return new GenericArrayData(made);
  }

  public static ArrayData times(long start, long stop, long micros) {
    return numbers(start, stop, micros);
  }

  public static ArrayData dateMonths(int start, int stop, int months) {
    LocalDate first = LocalDate.ofEpochDay(start);
    int count = monthCount(first, LocalDate.ofEpochDay(stop), Integer.compare(stop, start), 0, months);
    int[] made = new int[count];
    for (int i = 0; i < count; i++) {
      made[i] = (int) first.plusMonths((long) i * months).toEpochDay();
    }
    return new GenericArrayData(made);
  }

  public static ArrayData timeMonths(long start, long stop, int months) {
    LocalDate first = LocalDate.ofEpochDay(Math.floorDiv(start, DAY_MICROS));
    long time = Math.floorMod(start, DAY_MICROS);
    int later = Long.compare(Math.floorMod(stop, DAY_MICROS), time);
    LocalDate last = LocalDate.ofEpochDay(Math.floorDiv(stop, DAY_MICROS));
    int count = monthCount(first, last, Long.compare(stop, start), later, months);
    long[] made = new long[count];
    for (int i = 0; i < count; i++) {
      made[i] = first.plusMonths((long) i * months).toEpochDay() * DAY_MICROS + time;
    }
    return new GenericArrayData(made);
  }

  /** How many steps of months there are; {@code later} compares the times of the last day and the first. */
  private static int monthCount(LocalDate first, LocalDate last, int direction, int later, int step) {
    if (step == 0) {
      throw TrinoFailure.argument("step must not be zero");
    }
    if (direction != 0 && direction != Integer.signum(step)) {
      length(0, -step, step);
    }
    long months = last.getYear() * 12L + last.getMonthValue() - first.getYear() * 12L - first.getMonthValue();
    // A month that the last day does not complete does not count; the end of a shorter month completes it.
    LocalDate reached = first.plusMonths(months);
    int beyond = reached.compareTo(last) != 0 ? reached.compareTo(last) : -later;
    if (months > 0 && beyond > 0) {
      months--;
    } else if (months < 0 && beyond < 0) {
      months++;
    }
    return length(0, months, step);
  }

  public static ArrayData slice(ArrayData array, long start, long length, UTF8String json) {
    if (length < 0) {
      throw TrinoFailure.argument("length must be greater than or equal to 0");
    }
    if (start == 0) {
      throw TrinoFailure.argument("SQL array indices start at 1");
    }
    int size = array.numElements();
    long from = start < 0 ? size + start + 1 : start;
    if (from < 1 || from > size) {
      return new GenericArrayData(new Object[0]);
    }
    int count = (int) Math.min(length, size - from + 1);
    Object[] all = elements(array, Values.type(json));
    return new GenericArrayData(java.util.Arrays.copyOfRange(all, (int) from - 1, (int) from - 1 + count));
  }

  public static ArrayData trim(ArrayData array, long count, UTF8String json) {
    int size = array.numElements();
    if (count < 0) {
      throw TrinoFailure.argument("size must not be negative: " + count);
    }
    if (count > size) {
      throw TrinoFailure.argument("size must not exceed array cardinality " + size + ": " + count);
    }
    return new GenericArrayData(java.util.Arrays.copyOf(elements(array, Values.type(json)), size - (int) count));
  }

  public static MapData histogram(ArrayData array, UTF8String json) {
    DataType type = Values.type(json);
    Map<ValueKey, Long> counts = new LinkedHashMap<>();
    for (Object each : elements(array, type)) {
      if (each != null) {
        counts.merge(new ValueKey(each, type), 1L, Long::sum);
      }
    }
    Object[] keys = counts.keySet().stream().map(ValueKey::value).toArray();
    return new ArrayBasedMapData(new GenericArrayData(keys), new GenericArrayData(counts.values().toArray()));
  }

  private static int wanted(long n) {
    if (n <= 0) {
      throw TrinoFailure.argument("third argument of max_by/min_by must be a positive integer");
    }
    if (n > MAX_ENTRIES) {
      throw TrinoFailure.argument("third argument of max_by/min_by must be less than or equal to 10000; found " + n);
    }
    return (int) n;
  }

  private static <T> List<T> first(List<T> all, int n, Comparator<T> order) {
    PriorityQueue<T> kept = new PriorityQueue<>(order.reversed());
    for (T each : all) {
      kept.add(each);
      if (kept.size() > n) {
        kept.poll();
      }
    }
    List<T> sorted = new ArrayList<>(kept);
    sorted.sort(order);
    return sorted;
  }

  /** The least or greatest values in order; null when there are none. */
  public static ArrayData firstValues(ArrayData array, long n, boolean most, UTF8String json) {
    DataType type = Values.type(json);
    List<Object> all = new ArrayList<>();
    for (Object each : elements(array, type)) {
      if (each != null) {
        all.add(each);
      }
    }
    int count = wanted(n);
    Comparator<Object> order = (one, other) -> most ? -order(one, other, type, true) : order(one, other, type, false);
    return all.isEmpty() ? null : new GenericArrayData(first(all, count, order).toArray());
  }

  /** The values of the rows with the least or greatest keys in order; null when there are none. */
  public static ArrayData firstValuesBy(ArrayData array, long n, boolean most, UTF8String json) {
    StructType row = (StructType) Values.type(json);
    DataType type = row.fields()[0].dataType();
    DataType by = row.fields()[1].dataType();
    List<Object[]> all = new ArrayList<>();
    for (Object each : elements(array, row)) {
      InternalRow pair = (InternalRow) each;
      if (!pair.isNullAt(1)) {
        all.add(new Object[] {Values.get(pair, 0, type), Values.get(pair, 1, by)});
      }
    }
    int count = wanted(n);
    Comparator<Object[]> order = (one, other) -> most ? -order(one[1], other[1], by, true) : order(one[1], other[1], by, false);
    return all.isEmpty() ? null : new GenericArrayData(first(all, count, order).stream().map(pair -> pair[0]).toArray());
  }
}
