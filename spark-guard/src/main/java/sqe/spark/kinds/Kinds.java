package sqe.spark.kinds;

import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/** The list of all kinds of plans and expressions that an engine of several people knows: what it allows, and what it refuses. */
public final class Kinds {
  private static final Verdict OWN = new Verdict(Verdict.Word.ALLOW, "", "");
  private static final ClassValue<Verdict> PLANS = verdicts(new KindList("plans.txt"));
  private static final ClassValue<Verdict> EXPRESSIONS = verdicts(new KindList("expressions.txt"));

  private Kinds() {}

  public static Verdict of(LogicalPlan plan) {
    return PLANS.get(plan.getClass());
  }

  public static Verdict of(Expression expression) {
    return EXPRESSIONS.get(expression.getClass());
  }

  /** What a decision is asked for when this command runs, in the words of {@code sqe.model.decision}; null if for nothing. */
  public static String operation(LogicalPlan plan) {
    return of(plan).operation();
  }

  private static ClassValue<Verdict> verdicts(KindList list) {
    return new ClassValue<>() {
      @Override
      protected Verdict computeValue(Class<?> kind) {
        // What we put into plans ourselves; no statement can name a class.
        boolean own = kind.getClassLoader() == Kinds.class.getClassLoader() && kind.getName().startsWith("sqe.spark.");
        return own ? OWN : list.of(kind.getName());
      }
    };
  }
}
