package sqe.spark.trino;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.OuterReference;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.MetadataBuilder;
import scala.Option;
import sqe.spark.Plans;

/**
 * Trino's type of an expression where Spark's does not say it: {@code timestamp(3)} is a TIMESTAMP_NTZ, {@code json} a STRING.
 *
 * <p>The type is in the metadata of an alias. Spark hands that on to the columns of subqueries and of the result, and drops aliases
 * in the middle of an expression when it has analysed it: nothing but the builders and the gateway sees them.
 */
final class Typed {
  /** {@code engine/arrow_types.py} keeps it. */
  static final String KEY = "__SQE_TRINO_TYPE";

  /** The zone of instants that each have their own, which Spark does not keep. */
  static final String OWN_ZONES = "?";

  private static final String NAME = "sqe_typed";

  private Typed() {}

  static Expression as(Expression value, String type) {
    Metadata metadata = new MetadataBuilder().putString(KEY, type).build();
    return new Alias(
        plain(value), NAME, NamedExpression.newExprId(), Plans.seq(List.of()), Option.apply(metadata), Plans.seq(List.of()));
  }

  /** Trino's type; null where Spark's says it. */
  static String of(Expression value) {
    Wide wide = Wide.of(value);
    if (wide != null) {
      return wide.toString(); // which no metadata changes
    }
    if (value instanceof OuterReference outer) {
      return of((Expression) outer.e()); // which has no metadata of its own
    }
    if (value.resolved() && value instanceof NamedExpression named && named.metadata().contains(KEY)) {
      return named.metadata().getString(KEY);
    }
    return TypeNames.of(value);
  }

  /** The zone of all values of a TIMESTAMP WITH TIME ZONE, which follows its type; null: the session's. */
  static String zone(Expression value) {
    String type = of(value);
    int at = type == null ? -1 : type.indexOf('@');
    return at < 0 ? null : type.substring(at + 1);
  }

  static boolean is(Expression value, String type) {
    return type.equals(of(value));
  }

  /** The expression below. */
  static Expression plain(Expression value) {
    return value instanceof Alias alias && alias.name().equals(NAME) ? alias.child() : value;
  }
}
