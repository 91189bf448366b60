package sqe.spark.guard;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.ExpressionSet;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Statistics;
import org.apache.spark.sql.catalyst.plans.logical.UnaryNode;
import scala.Function1;
import scala.Option;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import sqe.spark.Plans;

/**
 * Stands over a row filter and lets the same rows through, so that nothing of the user's is evaluated on rows that the filter
 * hides.
 *
 * <p>Spark's optimizer moves predicates, projections, limits, aggregates and runtime filters only through kinds of nodes that it
 * knows; this one it does not know. What it does with any node is all right here: it asks for fewer columns, and it learns from
 * what holds for the rows below. {@link BarrierStrategy} plans it as its child, so that it is not there when the query runs.
 *
 * <p>It has no expressions. Two are equal when what is below them is equal, the filter included, so Spark's reuse of equal parts
 * stays right.
 */
public final class Barrier extends LogicalPlan implements UnaryNode {
  private final LogicalPlan child;

  // Found by reflection too: Spark copies nodes with the constructor that takes their elements.
  public Barrier(LogicalPlan child) {
    this.child = child;
  }

  @Override
  public LogicalPlan child() {
    return child;
  }

  @Override
  public Seq<Attribute> output() {
    return child.output();
  }

  /** None: columns like {@code _file}, which are not in the output, are not to be had through a row filter. */
  @Override
  public Seq<Attribute> metadataOutput() {
    return Plans.seq(List.of());
  }

  @Override
  public Statistics stats() {
    return child.stats();
  }

  @Override
  public Option<Object> maxRows() {
    return child.maxRows();
  }

  @Override
  public Option<Object> maxRowsPerPartition() {
    return child.maxRowsPerPartition();
  }

  // A Java class gets nothing from Scala's traits where a class above it has a method of the same name.

  @Override
  public Seq<LogicalPlan> children() {
    return UnaryNode.super.children();
  }

  @Override
  public LogicalPlan mapChildren(Function1<LogicalPlan, LogicalPlan> change) {
    return UnaryNode.super.mapChildren(change);
  }

  @Override
  public LogicalPlan withNewChildrenInternal(IndexedSeq<LogicalPlan> changed) {
    return UnaryNode.super.withNewChildrenInternal(changed);
  }

  @Override
  public LogicalPlan withNewChildInternal(LogicalPlan changed) {
    return new Barrier(changed);
  }

  @Override
  public ExpressionSet validConstraints() {
    return UnaryNode.super.validConstraints();
  }

  @Override
  public int productArity() {
    return 1;
  }

  @Override
  public Object productElement(int index) {
    if (index != 0) {
      throw new IndexOutOfBoundsException(index);
    }
    return child;
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof Barrier;
  }

  @Override
  public boolean equals(Object other) {
    return this == other || other instanceof Barrier barrier && child.equals(barrier.child);
  }

  @Override
  public int hashCode() {
    return super.hashCode(); // of all elements
  }
}
