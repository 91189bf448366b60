package sqe.spark.local;

import java.lang.ref.SoftReference;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.OuterReference;
import org.apache.spark.sql.catalyst.expressions.SpecialFrameBoundary;
import org.apache.spark.sql.catalyst.expressions.RowNumberLike;
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.OneRowRelation;
import org.apache.spark.sql.catalyst.plans.logical.CTERelationRef;
import org.apache.spark.sql.catalyst.plans.logical.View;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.catalog.SessionCatalogs;

/**
 * Keeps what statements of a session were rendered to, so that a statement that comes again is not analyzed again.
 *
 * <p>Every use loads the statement's tables anew, as the session's principal: the catalog and the policies decide anew, and the files
 * are those of the snapshot of that time. What was rendered is used only if nothing is different that it depends on: the text and its
 * values, the session's settings, the tables' schemas, and the decisions.
 */
final class KeptPlans {
  private static final int MOST_PLANS = 100; // of a session
  private static final int MOST_BYTES = 64 << 10; // of a statement, with its values

  /** Texts that Spark's parser takes for a time: their value changes from one use to the next. */
  private static final Pattern SPECIAL_TIMES = Pattern.compile("['\"]\\s*(now|today|tomorrow|yesterday)");

  private static final Map<String, KeptPlans> OF_SESSIONS = new ConcurrentHashMap<>();

  /** All that a rendered statement depends on besides its tables. */
  private record Key(String statement, Object settings, String catalog, List<String> namespace) {}

  /** They hold the metadata of tables, which goes before memory ends. */
  private final Map<Key, SoftReference<Kept>> plans =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, SoftReference<Kept>> eldest) {
          return size() > MOST_PLANS;
        }
      };

  /** Writes the answer of a filled statement. */
  interface Answer {
    String of(String sql, Scans scans, long most);
  }

  private record Kept(Template template, Answer answer) {}

  private KeptPlans() {}

  /** The plans of a session, which end with it. */
  static KeptPlans of(SparkSession session) {
    String id = session.sessionUUID();
    return OF_SESSIONS.computeIfAbsent(
        id,
        none -> {
          SessionCatalogs.opened(id, () -> OF_SESSIONS.remove(id));
          return new KeptPlans();
        });
  }

  /** A statement's key, or null if it is not to be kept. */
  private static Key key(SparkSession session, byte[] statement) {
    String text = new String(statement, StandardCharsets.ISO_8859_1); // one character for each byte
    if (statement.length > MOST_BYTES || SPECIAL_TIMES.matcher(text.toLowerCase(Locale.ROOT)).find()) {
      return null;
    }
    var catalogs = session.sessionState().catalogManager();
    String catalog;
    try {
      catalog = catalogs.currentCatalog().name();
    } catch (RuntimeException unusable) {
      return null; // the statement names another one
    }
    return new Key(
        text,
        session.sessionState().conf().getAllConfs(),
        catalog,
        List.of(catalogs.currentNamespace()));
  }

  /** The answer to a statement that was rendered before, with the files of now; null if it has to be analyzed. */
  String answer(SparkSession session, byte[] statement, long most) {
    // A session that keeps nothing may not be able to open its current catalog, and does not have to.
    Key key = isEmpty() ? null : key(session, statement);
    Kept kept = find(key);
    if (kept == null) {
      return null;
    }
    try {
      Template.Filled filled = kept.template().filledAgain();
      return kept.answer().of(filled.sql(), filled.scans(), most);
    } catch (Template.Changed | NoSuchTableException | RuntimeException different) {
      // Analyzed again, it is refused, rendered or left to Spark as it has to be now.
      forget(key);
      return null;
    }
  }

  private synchronized boolean isEmpty() {
    return plans.isEmpty();
  }

  private synchronized Kept find(Key key) {
    SoftReference<Kept> kept = key == null ? null : plans.get(key);
    return kept == null ? null : kept.get();
  }

  private synchronized void forget(Key key) {
    plans.remove(key);
  }

  /** Keeps a statement, if it means the same whenever it is used. */
  void keep(SparkSession session, byte[] statement, LogicalPlan analyzed, Template template, Answer answer) {
    Key key = template.isKept() && isKept(analyzed, template) ? key(session, statement) : null;
    if (key != null) {
      synchronized (this) {
        plans.put(key, new SoftReference<>(new Kept(template, answer)));
      }
    }
  }

  private static boolean isKept(LogicalPlan plan, Template template) {
    if (plan instanceof View) {
      return false; // its text may be another one at the next use
    }
    List<LogicalPlan> children = CollectionConverters.asJava(plan.children());
    if (children.isEmpty()
        && !(plan instanceof DataSourceV2Relation relation && template.remembers(relation))
        && !(plan instanceof LocalRelation)
        && !(plan instanceof OneRowRelation)
        && !(plan instanceof CTERelationRef)) {
      return false;
    }
    for (Expression each : CollectionConverters.asJava(plan.expressions())) {
      if (!isKept(each, template)) {
        return false;
      }
    }
    return children.stream().allMatch(child -> isKept(child, template));
  }

  /** What has no operands has its value from elsewhere: the clock, the session, chance. */
  private static boolean isKept(Expression expression, Template template) {
    List<Expression> children = CollectionConverters.asJava(expression.children());
    if (expression instanceof SubqueryExpression subquery) {
      return isKept(subquery.plan(), template) && children.stream().allMatch(child -> isKept(child, template));
    }
    if (children.isEmpty()) {
      return expression instanceof AttributeReference
          || expression instanceof Literal
          || expression instanceof OuterReference
          || expression instanceof SpecialFrameBoundary
          || expression instanceof RowNumberLike;
    }
    return children.stream().allMatch(child -> isKept(child, template));
  }
}
