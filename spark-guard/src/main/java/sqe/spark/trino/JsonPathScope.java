package sqe.spark.trino;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * What a part of a path sees.
 *
 * @param variables an object of the values that the clause PASSING gives
 * @param current the item of the filter; null outside of one
 * @param last the index of the array's last element; null outside of a subscript
 */
record JsonPathScope(boolean lax, JsonNode input, JsonNode variables, Object current, Integer last, int[] counters) {
  /** Items that a path makes in one row, with those between. */
  private static final int MAX_ITEMS = 5_000_000;

  /** An error that the clause ON ERROR handles. */
  static final class Failed extends RuntimeException {
    Failed(String message) {
      super(message, null, false, false);
    }
  }

  static JsonPathScope of(boolean lax, JsonNode input, JsonNode variables) {
    return new JsonPathScope(lax, input, variables, null, null, new int[2]);
  }

  JsonPathScope withCurrent(Object item) {
    return new JsonPathScope(lax, input, variables, item, last, counters);
  }

  JsonPathScope withLast(int index) {
    return new JsonPathScope(lax, input, variables, current, index, counters);
  }

  /** The value of a parameter; nothing for NULL that was passed as JSON. There is one of each name that the path has. */
  List<Object> variable(String name) {
    JsonNode found = variables.get(name);
    return found == null ? List.of() : List.of(found);
  }

  List<Object> currentItem() {
    if (current == null) {
      throw new Failed("accessing current filter item with no enclosing filter");
    }
    return List.of(current);
  }

  List<Object> lastIndex() {
    if (last == null) {
      throw new Failed("accessing the last array index with no enclosing array");
    }
    return List.of(last);
  }

  void count(int items) {
    counters[0] += items + 1;
    if (counters[0] > MAX_ITEMS) {
      throw TrinoFailure.unsupportedValue("A path that makes more than " + MAX_ITEMS + " items is not supported.");
    }
  }

  int nextObject() {
    return counters[1]++;
  }
}
