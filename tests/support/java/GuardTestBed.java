package sqe.spark.guard;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.AnalysisHelper$;
import org.apache.spark.sql.catalyst.plans.logical.AppendData;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import scala.Option;
import scala.Some;
import scala.Tuple3;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;
import scala.runtime.AbstractPartialFunction;
import scala.runtime.BoxedUnit;
import sqe.spark.Plans;

/**
 * Spark with the guard's building blocks and policies that a test gives with each statement; no gateway, no Connect.
 *
 * <p>Lines of JSON: {@code {"sql", "policies": {table: {"filter", "masks"}}, "bare", "settings", "show"}} on standard input;
 * {@code {"rows"}} or {@code {"condition", "error"}} on standard output. {@code bare} leaves the barrier out, for comparison;
 * {@code show} adds the plans and what the scans read, as an operator would see it.
 */
public final class GuardTestBed {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final TreeNodeTag<Boolean> DONE = new TreeNodeTag<>("guarded");
  private static final ThreadLocal<Boolean> INSIDE = ThreadLocal.withInitial(() -> false);
  private static volatile JsonNode policies = JSON.createObjectNode();
  private static volatile boolean bare;

  private GuardTestBed() {}

  /** The first line on standard input is the mask key in Base64, or empty. */
  public static void main(String[] args) throws Exception {
    PrintStream out = System.out;
    System.setOut(System.err);
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String key = lines.readLine();
    if (!key.isEmpty()) {
      HashMask.key(Base64.getDecoder().decode(key));
    }
    SparkSession session = SparkSession.builder().getOrCreate();
    out.println("{}");
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      out.println(answer(session, JSON.readTree(line)));
      out.flush();
    }
    System.exit(0);
  }

  private static ObjectNode answer(SparkSession session, JsonNode asked) {
    ObjectNode answer = JSON.createObjectNode();
    asked.path("settings").properties().forEach(each -> session.conf().set(each.getKey(), each.getValue().asText()));
    policies = asked.path("policies");
    bare = asked.path("bare").asBoolean();
    long begin = System.nanoTime();
    try {
      Dataset<Row> result = session.sql(asked.path("sql").asText());
      ArrayNode rows = answer.putArray("rows");
      for (Row row : result.collectAsList()) {
        ArrayNode values = rows.addArray();
        for (int i = 0; i < row.size(); i++) {
          values.add(row.isNullAt(i) ? null : String.valueOf(row.get(i)));
        }
      }
      answer.put("seconds", (System.nanoTime() - begin) / 1e9);
      if (asked.path("show").asBoolean()) {
        answer.put("logical", result.queryExecution().optimizedPlan().toString());
        answer.put("physical", result.queryExecution().executedPlan().toString());
        answer.put("code", code(result));
        scans(result.queryExecution().executedPlan(), answer.putArray("scans"));
      }
    } catch (Throwable failure) {
      answer.remove("rows");
      Throwable reported = failure;
      for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
        reported = cause instanceof SparkThrowable named && named.getCondition() != null ? cause : reported;
      }
      answer.put("condition", reported instanceof SparkThrowable named ? named.getCondition() : reported.getClass().getName());
      answer.put("error", String.valueOf(reported.getMessage()));
    } finally {
      asked.path("settings").properties().forEach(each -> session.conf().unset(each.getKey()));
    }
    return answer;
  }

  private static String code(Dataset<Row> result) {
    return org.apache.spark.sql.execution.debug.package$.MODULE$.codegenString(result.queryExecution().executedPlan());
  }

  private static void scans(SparkPlan plan, ArrayNode found) {
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      scans(adaptive.executedPlan(), found);
    } else if (plan instanceof QueryStageExec stage) {
      scans(stage.plan(), found);
    } else if (plan instanceof BatchScanExec scan) {
      ObjectNode each = found.addObject().put("scan", scan.scan().description());
      CollectionConverters.asJava(scan.metrics()).forEach((name, metric) -> each.put(name, metric.value()));
    }
    CollectionConverters.asJava(plan.children()).forEach(child -> scans(child, found));
    CollectionConverters.asJava(plan.subqueries()).forEach(child -> scans(child, found));
  }

  /** The part of SqeExtensions that these tests need. */
  public static final class Extensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
    @Override
    public BoxedUnit apply(SparkSessionExtensions extensions) {
      Barriers.inject(extensions);
      extensions.injectPostHocResolutionRule(session -> new Policies((SparkSession) session));
      extensions.injectFunction(
          new Tuple3<>(
              new FunctionIdentifier(HashMask.NAME),
              new ExpressionInfo(HashMask.class.getName(), HashMask.NAME),
              arguments -> HashMask.of(CollectionConverters.asJava(arguments))));
      return BoxedUnit.UNIT;
    }
  }

  private static final class Policies extends Rule<LogicalPlan> {
    private final SparkSession session;

    Policies(SparkSession session) {
      this.session = session;
    }

    @Override
    public LogicalPlan apply(LogicalPlan plan) {
      if (INSIDE.get() || !plan.resolved()) {
        return plan;
      }
      INSIDE.set(true);
      try {
        return AnalysisHelper$.MODULE$.allowInvokingTransformsInAnalyzer(() -> guarded(plan));
      } finally {
        INSIDE.set(false);
      }
    }

    private LogicalPlan guarded(LogicalPlan plan) {
      return (LogicalPlan)
          plan.transformUpWithSubqueries(
              new AbstractPartialFunction<LogicalPlan, LogicalPlan>() {
                @Override
                public boolean isDefinedAt(LogicalPlan node) {
                  return node instanceof DataSourceV2Relation || node instanceof AppendData;
                }

                @Override
                public LogicalPlan apply(LogicalPlan node) {
                  return node instanceof AppendData append ? checked(append) : read((DataSourceV2Relation) node);
                }
              });
    }

    private static JsonNode policy(DataSourceV2Relation relation) {
      return policies.path(relation.name());
    }

    private LogicalPlan read(DataSourceV2Relation relation) {
      JsonNode policy = policy(relation);
      if (policy.isMissingNode() || relation.getTagValue(DONE).isDefined()) {
        return relation;
      }
      DataSourceV2Relation stored = relation.newInstance();
      stored.setTagValue(DONE, true);
      LogicalPlan rows = stored;
      if (policy.has("filter")) {
        LogicalPlan filter = resolved(policy.path("filter").asText(), stored);
        rows = bare ? filter : Barriers.above(filter);
      }
      List<NamedExpression> columns = new ArrayList<>();
      Iterator<? extends Attribute> own = CollectionConverters.asJava(stored.output()).iterator();
      for (Attribute column : CollectionConverters.asJava(relation.output())) {
        JsonNode mask = policy.path("masks").path(column.name());
        Attribute value = own.next();
        columns.add(mask.isMissingNode() ? alias(value, column) : mask(mask.asText(), column, stored));
      }
      return new Project(Plans.seq(columns), rows);
    }

    private LogicalPlan resolved(String condition, LogicalPlan below) {
      return session.sessionState().analyzer().execute(new Filter(parsed(condition), below));
    }

    private NamedExpression mask(String text, Attribute column, LogicalPlan below) {
      Alias named = alias(parsed(text), column);
      Project masked =
          (Project) session.sessionState().analyzer().execute(new Project(Plans.seq(List.of(named)), below));
      Expression mask = ((Alias) CollectionConverters.asJava(masked.projectList()).get(0)).child();
      return alias(new Cast(mask, column.dataType(), Option.empty()), column);
    }

    private static Alias alias(Expression expression, Attribute column) {
      return new Alias(
          expression, column.name(), column.exprId(), column.qualifier(), new Some<>(column.metadata()), Plans.seq(List.of()));
    }

    private Expression parsed(String text) {
      try {
        return session.sessionState().sqlParser().parseExpression(text);
      } catch (Exception wrong) {
        throw new IllegalArgumentException(wrong);
      }
    }

    private LogicalPlan checked(AppendData append) {
      DataSourceV2Relation target = (DataSourceV2Relation) append.table();
      JsonNode policy = policy(target);
      if (!policy.has("filter") || append.getTagValue(DONE).isDefined()) {
        return append;
      }
      Filter filter = (Filter) resolved(policy.path("filter").asText(), target);
      List<AttributeReference> stored = CollectionConverters.asJava(target.output());
      List<Attribute> given = CollectionConverters.asJava(append.query().output());
      Expression condition =
          filter
              .condition()
              .transformUp(
                  new AbstractPartialFunction<Expression, Expression>() {
                    @Override
                    public boolean isDefinedAt(Expression part) {
                      return part instanceof Attribute attribute
                          && stored.stream().anyMatch(each -> each.exprId().equals(attribute.exprId()));
                    }

                    @Override
                    public Expression apply(Expression part) {
                      for (int i = 0; i < stored.size(); i++) {
                        if (stored.get(i).exprId().equals(((Attribute) part).exprId())) {
                          return given.get(i);
                        }
                      }
                      throw new IllegalStateException();
                    }
                  });
      LogicalPlan changed = append.withNewQuery(RowCheck.over(append.query(), condition));
      changed.setTagValue(DONE, true);
      return changed;
    }
  }
}
