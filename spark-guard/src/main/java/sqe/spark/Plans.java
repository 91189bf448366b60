package sqe.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.SubqueryAlias;
import org.apache.spark.sql.catalyst.plans.logical.UnresolvedWith;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.PartialFunction;
import scala.Tuple3;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractPartialFunction;

/** Spark's plans, as Java sees them. */
public final class Plans {
  private Plans() {}

  /** A change of some of the nodes or expressions, as Spark's transformations take it. */
  public static <T> PartialFunction<T, T> when(Predicate<? super T> changes, UnaryOperator<T> change) {
    return new AbstractPartialFunction<>() {
      @Override
      public boolean isDefinedAt(T node) {
        return changes.test(node);
      }

      @Override
      public T apply(T node) {
        return change.apply(node);
      }
    };
  }

  /** Applies a rule to each node of a parsed plan, also in subqueries and in the named queries of a WITH. */
  public static LogicalPlan everywhere(LogicalPlan plan, UnaryOperator<LogicalPlan> rule) {
    return plan.transformDownWithSubqueries(
        when(
            node -> true,
            node -> {
              LogicalPlan changed = rule.apply(node);
              return changed instanceof UnresolvedWith with ? inside(with, rule) : changed;
            }));
  }

  /** The named queries are not among a WITH's children. */
  private static LogicalPlan inside(UnresolvedWith with, UnaryOperator<LogicalPlan> rule) {
    List<Tuple3<String, SubqueryAlias, Option<Object>>> queries = new ArrayList<>();
    for (var query : CollectionConverters.asJava(with.cteRelations())) {
      queries.add(new Tuple3<>(query._1(), (SubqueryAlias) everywhere(query._2(), rule), query._3()));
    }
    return new UnresolvedWith(with.child(), seq(queries), with.allowRecursion());
  }

  /** Rows that are known already. */
  @SuppressWarnings("unchecked")
  public static LogicalPlan rows(StructType schema, InternalRow... rows) {
    Seq<Attribute> columns = (Seq<Attribute>) (Seq<?>) DataTypeUtils.toAttributes(schema);
    return new LocalRelation(columns, seq(List.of(rows)), false, Option.empty());
  }

  public static <T> Seq<T> seq(List<T> list) {
    return scala.collection.immutable.List.from(CollectionConverters.asScala(list));
  }
}
