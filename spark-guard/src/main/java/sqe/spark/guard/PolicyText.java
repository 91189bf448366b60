package sqe.spark.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.analysis.Analyzer;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.analysis.RelationCache;
import org.apache.spark.sql.catalyst.analysis.TableFunctionRegistry;
import org.apache.spark.sql.catalyst.catalog.InMemoryCatalog;
import org.apache.spark.sql.catalyst.catalog.SessionCatalog;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.CallMethodViaReflection;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.UserDefinedExpression;
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.util.package$;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.catalog.CatalogManager;
import org.apache.spark.sql.connector.catalog.CatalogPlugin;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.internal.SQLConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;
import scala.Some;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;
import sqe.spark.Plans;
import sqe.spark.kinds.Enforcement;

/**
 * Makes plans of policies: SQL over the stored columns of a table.
 *
 * <p>It has an analyzer of its own, so that policy text means the same whatever the session is like: Spark's own functions, not
 * those that a user has put in their place; no temporary views; times in UTC. What a policy looks up in other tables is read
 * unguarded.
 */
final class PolicyText {
  private static final Logger LOG = LoggerFactory.getLogger(PolicyText.class);

  /** Spark loads tables anew before it runs a plan, by the names that relations have. These are to stay as they are. */
  private static final Option<CatalogPlugin> NAMELESS = Option.empty();

  private final SparkSession session;
  private Analyzer analyzer;
  private SQLConf settings;

  PolicyText(SparkSession session) {
    this.session = session;
  }

  /** Whether this thread analyses a policy. */
  static boolean isBeingRead() {
    return Enforcement.isExempt(Enforcement.Exemption.POLICY_TEXT);
  }

  /** What stands in a plan for a relation: masks over a barrier over the row filter over the table with all its columns. */
  LogicalPlan over(DataSourceV2Relation relation, GuardedTable table, Decision decision, String query) {
    DataSourceV2Relation whole =
        DataSourceV2Relation.create(
            table.whole(), NAMELESS, Option.empty(), relation.options(), relation.timeTravelSpec());
    new Mark(table.session(), query, decision).on(whole);
    return analysed(
        table.resource(),
        () -> {
          LogicalPlan rows =
              decision.filter() == null ? whole : Barriers.above(new Filter(filter(decision, table.resource()), whole));
          List<NamedExpression> columns = new ArrayList<>();
          for (Attribute column : CollectionConverters.asJava(relation.output())) {
            columns.add(shown(column, value(column, whole, table.resource(), decision)));
          }
          return new Project(Plans.seq(columns), rows);
        });
  }

  /** The row filter as a condition over columns, which have the names of the table's. */
  Expression condition(List<Attribute> columns, Question.Resource resource, Decision decision) {
    LogicalPlan rows = new LocalRelation(Plans.seq(columns), Plans.seq(List.of()), false, Option.empty());
    return ((Filter) analysed(resource, () -> new Filter(filter(decision, resource), rows))).condition();
  }

  private static Expression filter(Decision decision, Question.Resource resource) {
    return HashKeys.inFilter(parse(decision.filter()), resource);
  }

  private static Expression value(
      Attribute column, LogicalPlan whole, Question.Resource resource, Decision decision) {
    if (package$.MODULE$.MetadataColumnHelper(column).isMetadataCol()) {
      return new Literal(null, column.dataType()); // the name of a file or a partition can tell what is stored
    }
    String mask = decision.masks().get(column.name());
    if (mask != null) {
      Expression masked = HashKeys.inMask(parse(mask), resource, column.name());
      return new Cast(masked, column.dataType(), Option.empty());
    }
    for (Attribute stored : CollectionConverters.asJava(whole.output())) {
      if (stored.name().equals(column.name())) {
        return stored;
      }
    }
    throw new IllegalStateException("a column that the table does not have");
  }

  /** Under the id that the plan above knows it by. */
  private static NamedExpression shown(Attribute column, Expression value) {
    Seq<String> none = Plans.seq(List.of());
    return new Alias(value, column.name(), column.exprId(), column.qualifier(), new Some<>(column.metadata()), none);
  }

  private static Expression parse(String text) {
    return (Expression) new CatalystSqlParser().parseExpression(text);
  }

  private interface Made {
    LogicalPlan plan() throws Exception;
  }

  private LogicalPlan analysed(Question.Resource resource, Made made) {
    prepare();
    try {
      return Enforcement.exempt(
          Enforcement.Exemption.POLICY_TEXT, () -> SQLConf.withExistingConf(settings, () -> analysed(made)));
    } catch (Exception invalid) {
      LOG.error("the policy on {} cannot be applied", resource, invalid);
      throw GuardRefusal.unavailable(resource + " cannot be used: a policy on it is not valid.");
    }
  }

  private LogicalPlan analysed(Made made) {
    LogicalPlan plan;
    try {
      plan = analyzer.execute(made.plan());
    } catch (RuntimeException failure) {
      throw failure;
    } catch (Exception failure) {
      throw new IllegalStateException(failure);
    }
    analyzer.checkAnalysis(plan);
    if (!plan.resolved() || callsCode(plan)) {
      throw new IllegalStateException("it does not resolve, or runs code");
    }
    return plan.transformUpWithSubqueries(
        Plans.when(
            node -> node instanceof DataSourceV2Relation && Mark.of(node) == null,
            node -> {
              DataSourceV2Relation read = (DataSourceV2Relation) node;
              DataSourceV2Relation relation =
                  new DataSourceV2Relation(
                      read.table(), read.output(), NAMELESS, Option.empty(), read.options(), read.timeTravelSpec());
              return new Mark(session.sessionUUID(), null, null).on(relation);
            }));
  }

  private static boolean callsCode(LogicalPlan plan) {
    AtomicBoolean found = new AtomicBoolean();
    plan.foreachWithSubqueries(
        node -> {
          for (Expression expression : CollectionConverters.asJava(node.expressions())) {
            expression.foreach(
                part -> {
                  if (part instanceof UserDefinedExpression || part instanceof CallMethodViaReflection) {
                    found.set(true);
                  }
                  return BoxedUnit.UNIT;
                });
          }
          return BoxedUnit.UNIT;
        });
    return found.get();
  }

  /** Not when the rule is made: the session is being built then. */
  private synchronized void prepare() {
    if (analyzer == null) {
      FunctionRegistry functions = FunctionRegistry.builtin().clone();
      for (String name : List.of(HashMask.NAME, HashMask.SHARED)) {
        functions.registerFunction(
            new FunctionIdentifier(name),
            new ExpressionInfo(HashMask.class.getName(), name),
            arguments -> HashMask.of(CollectionConverters.asJava(arguments)));
      }
      InMemoryCatalog nothing = new InMemoryCatalog(new SparkConf(false), new Configuration(false));
      SessionCatalog views = new SessionCatalog(nothing, functions, TableFunctionRegistry.builtin());
      CatalogManager own = session.sessionState().catalogManager();
      settings = session.sessionState().conf().clone();
      settings.setConfString("spark.sql.session.timeZone", "UTC");
      analyzer = new Analyzer(new CatalogManager(own.v2SessionCatalog(), views), RelationCache.empty());
    }
  }
}
