package sqe.spark.trino;

/** What {@link Collections} calls for each row. */
public final class CollectionMethods {
  private CollectionMethods() {}

  /** The subscript of an array as Spark counts; an error when there is none. */
  public static int subscript(long index, int size) {
    if (index == 0) {
      throw TrinoFailure.argument("SQL array indices start at 1");
    }
    if (index < 0) {
      throw TrinoFailure.argument("Array subscript is negative: " + index);
    }
    if (index > size) {
      throw TrinoFailure.argument("Array subscript must be less than or equal to array length: " + index + " > " + size);
    }
    return (int) index;
  }

  /** True; an error when a key is not there. */
  public static boolean present(boolean there) {
    if (!there) {
      throw TrinoFailure.argument("Key not present in map");
    }
    return true;
  }
}
