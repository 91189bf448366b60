package sqe.spark;

import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.classic.SparkSession;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;
import sqe.spark.bounds.Bounds;
import sqe.spark.guard.Guard;
import sqe.spark.isolation.InterruptibleLoops;
import sqe.spark.isolation.WorkLimits;
import sqe.spark.kinds.KindRules;
import sqe.spark.parameters.ValueParameters;
import sqe.spark.small.LocalAggregate;
import sqe.spark.small.SharedConstant;
import sqe.spark.small.SingleTask;
import sqe.spark.statements.ConstantRow;
import sqe.spark.statements.CorrelatedLimits;
import sqe.spark.statements.CurrentUserRule;
import sqe.spark.statements.InsertOverwrite;
import sqe.spark.statements.LocalSort;
import sqe.spark.statements.MetadataColumns;
import sqe.spark.statements.RenameTarget;
import sqe.spark.statements.TimeTravelSubqueries;
import sqe.spark.statements.Unfoldable;
import sqe.spark.statements.UnionProjections;
import sqe.spark.trino.TrinoFunctions;
import sqe.spark.writes.EmptyCommits;
import sqe.spark.writes.RowCounts;

/**
 * The place where SQE joins Spark's analyzer; named in {@code spark.sql.extensions}.
 */
public final class SqeExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
  private static volatile boolean applied;

  /** Whether Spark has called us at least once. */
  static boolean applied() {
    return applied;
  }

  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    extensions.injectParser(new ValueParameters.Builder());
    extensions.injectPostHocResolutionRule(session -> new CurrentUserRule((SparkSession) session));
    ConstantRow.inject(extensions);
    CorrelatedLimits.inject(extensions);
    LocalSort.inject(extensions);
    Unfoldable.inject(extensions);
    UnionProjections.inject(extensions);
    LocalAggregate.inject(extensions);
    SingleTask.inject(extensions);
    SharedConstant.inject(extensions);
    RenameTarget.inject(extensions);
    InsertOverwrite.inject(extensions);
    EmptyCommits.inject(extensions);
    RowCounts.inject(extensions);
    MetadataColumns.inject(extensions);
    TimeTravelSubqueries.inject(extensions);
    Bounds.inject(extensions);
    KindRules.inject(extensions);
    WorkLimits.inject(extensions);
    InterruptibleLoops.inject(extensions);
    TrinoFunctions.inject(extensions);
    Guard.inject(extensions);
    applied = true;
    return BoxedUnit.UNIT;
  }
}
