package sqe.spark.local;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Ascending$;
import org.apache.spark.sql.catalyst.expressions.CumeDist;
import org.apache.spark.sql.catalyst.expressions.CurrentRow$;
import org.apache.spark.sql.catalyst.expressions.DenseRank;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.FrameLessOffsetWindowFunction;
import org.apache.spark.sql.catalyst.expressions.Lag;
import org.apache.spark.sql.catalyst.expressions.Lead;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NTile;
import org.apache.spark.sql.catalyst.expressions.NullsFirst$;
import org.apache.spark.sql.catalyst.expressions.PercentRank;
import org.apache.spark.sql.catalyst.expressions.Rank;
import org.apache.spark.sql.catalyst.expressions.RowFrame$;
import org.apache.spark.sql.catalyst.expressions.RowNumber;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.SpecifiedWindowFrame;
import org.apache.spark.sql.catalyst.expressions.UnaryMinus;
import org.apache.spark.sql.catalyst.expressions.UnboundedFollowing$;
import org.apache.spark.sql.catalyst.expressions.UnboundedPreceding$;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.expressions.WindowSpecDefinition;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Writes window functions, their windows, and sort orders. */
final class Windows {
  private final Expressions expressions;
  private final Aggregates aggregates;

  Windows(Expressions expressions, Aggregates aggregates) {
    this.expressions = expressions;
    this.aggregates = aggregates;
  }

  String render(WindowExpression window) {
    Expression function = window.windowFunction();
    if (function instanceof AggregateExpression aggregate) {
      return aggregates.render(aggregate, over(window.windowSpec()));
    }
    if (function instanceof FrameLessOffsetWindowFunction offset) {
      return offset(offset, partition(window.windowSpec()));
    }
    String over = partition(window.windowSpec());
    if (function instanceof RowNumber) {
      return "CAST(row_number()" + over + " AS INTEGER)";
    }
    if (function instanceof Rank) {
      return "CAST(rank()" + over + " AS INTEGER)";
    }
    if (function instanceof DenseRank) {
      return "CAST(dense_rank()" + over + " AS INTEGER)";
    }
    if (function instanceof PercentRank) {
      return "percent_rank()" + over;
    }
    if (function instanceof CumeDist) {
      return "cume_dist()" + over;
    }
    if (function instanceof NTile tile && Expressions.children(tile).get(0) instanceof Literal buckets) {
      return "CAST(ntile(" + Literals.of(buckets.value(), buckets.dataType()) + ")" + over + " AS INTEGER)";
    }
    throw new NotRendered("window function " + function.getClass().getSimpleName());
  }

  private String offset(FrameLessOffsetWindowFunction function, String over) {
    if (function.ignoreNulls()) {
      throw new NotRendered("IGNORE NULLS");
    }
    boolean lag = function instanceof Lag;
    if (!lag && !(function instanceof Lead)) {
      throw new NotRendered("window function " + function.getClass().getSimpleName());
    }
    // Spark's lag is a lead by a negative offset.
    Expression written = function.offset();
    int sign = 1;
    if (written instanceof UnaryMinus minus) {
      written = minus.child();
      sign = -1;
    }
    if (!(written instanceof Literal literal) || !(literal.value() instanceof Integer rows)) {
      throw new NotRendered("offset that is not constant");
    }
    int by = sign * rows * (lag ? -1 : 1);
    return (lag ? "lag(" : "lead(")
        + expressions.render(function.input())
        + ", "
        + by
        + ", "
        + expressions.render(Expressions.children(function).get(2))
        + ")"
        + over;
  }

  private String partition(WindowSpecDefinition window) {
    return " OVER (" + keys(window) + ")";
  }

  /** The window of an aggregate, with its frame. */
  String over(WindowSpecDefinition window) {
    if (!(window.frameSpecification() instanceof SpecifiedWindowFrame frame)) {
      throw new NotRendered("window without a frame");
    }
    boolean rows = frame.frameType() == RowFrame$.MODULE$;
    String bounds =
        (rows ? "ROWS" : "RANGE") + " BETWEEN " + bound(frame.lower(), rows) + " AND " + bound(frame.upper(), rows);
    return " OVER (" + keys(window) + " " + bounds + ")";
  }

  private static String bound(Expression bound, boolean rows) {
    if (bound == UnboundedPreceding$.MODULE$) {
      return "UNBOUNDED PRECEDING";
    }
    if (bound == UnboundedFollowing$.MODULE$) {
      return "UNBOUNDED FOLLOWING";
    }
    if (bound == CurrentRow$.MODULE$) {
      return "CURRENT ROW";
    }
    if (rows && bound instanceof Literal literal && literal.value() instanceof Integer offset) {
      return Math.abs((long) offset) + (offset < 0 ? " PRECEDING" : " FOLLOWING");
    }
    throw new NotRendered("frame bounds by value");
  }

  private String keys(WindowSpecDefinition window) {
    List<String> keys = new ArrayList<>();
    List<String> partition = new ArrayList<>();
    for (Expression key : CollectionConverters.asJava(window.partitionSpec())) {
      partition.add(Expressions.normalized(expressions.render(key), key.dataType()));
    }
    if (!partition.isEmpty()) {
      keys.add("PARTITION BY " + String.join(", ", partition));
    }
    if (!CollectionConverters.asJava(window.orderSpec()).isEmpty()) {
      keys.add("ORDER BY " + order(window.orderSpec()));
    }
    return String.join(" ", keys);
  }

  String order(Seq<SortOrder> orders) {
    List<String> rendered = new ArrayList<>();
    for (SortOrder order : CollectionConverters.asJava(orders)) {
      Types.name(order.dataType());
      rendered.add(
          expressions.render(order.child())
              + (order.direction() == Ascending$.MODULE$ ? " ASC" : " DESC")
              + (order.nullOrdering() == NullsFirst$.MODULE$ ? " NULLS FIRST" : " NULLS LAST"));
    }
    return String.join(", ", rendered);
  }
}
