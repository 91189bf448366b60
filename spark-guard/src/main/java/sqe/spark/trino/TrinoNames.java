package sqe.spark.trino;

import org.apache.spark.sql.catalyst.expressions.Expression;

/** Trino's names of types, for what is shown. */
public final class TrinoNames {
  private TrinoNames() {}

  /** The type of an expression, as Trino writes it. */
  public static String of(Expression expression) {
    return TrinoTypes.text(expression);
  }
}
