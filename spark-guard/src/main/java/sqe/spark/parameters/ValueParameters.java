package sqe.spark.parameters;

import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.TableIdentifier;
import org.apache.spark.sql.catalyst.analysis.PosParameter;
import org.apache.spark.sql.catalyst.analysis.PosParameterizedQuery;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.parser.ParameterContext;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.parser.ParserInterface;
import org.apache.spark.sql.catalyst.parser.PositionalParameterContext;
import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LocalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Offset;
import org.apache.spark.sql.execution.SparkSqlParser;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractFunction2;
import sqe.spark.Plans;
import sqe.spark.bounds.Bounds;
import sqe.spark.bounds.CubeText;
import sqe.spark.bounds.PlanBounds;

/**
 * The parser, with which the {@code ?} of a statement become the values that were given for them.
 *
 * <p>Spark 4.1 by itself writes each value into the text and parses that. A value may change on the way: a timestamp in
 * the hour that a time zone has twice, the type of a decimal or of a null. So the values are left to the analyzer, as in
 * Spark before 4.1.
 */
public final class ValueParameters implements ParserInterface {
  private final ParserInterface spark;

  private ValueParameters(ParserInterface spark) {
    this.spark = spark;
  }

  public static final class Builder extends AbstractFunction2<SparkSession, ParserInterface, ParserInterface> {
    @Override
    public ParserInterface apply(SparkSession session, ParserInterface parser) {
      return new ValueParameters(parser);
    }
  }

  @Override
  public LogicalPlan parsePlanWithParameters(String sql, ParameterContext parameters) throws ParseException {
    CubeText.check(sql);
    return Bounds.within(parsed(sql, parameters));
  }

  private LogicalPlan parsed(String sql, ParameterContext parameters) throws ParseException {
    if (!(parameters instanceof PositionalParameterContext positional)) {
      return spark.parsePlanWithParameters(sql, parameters);
    }
    LogicalPlan plan;
    try {
      plan = spark.parsePlan(sql);
    } catch (ParseException | NumberFormatException noPlaceForValues) {
      // A ? where the grammar has a word or a number, as in DECIMAL(?, 2) or SHOW TABLES LIKE ?, if it is not an error.
      return spark.parsePlanWithParameters(sql, parameters);
    }
    return new PosParameterizedQuery(Plans.everywhere(plan, ValueParameters::countsAsIntegers), positional.params());
  }

  /** LIMIT and OFFSET take an INT only, and clients send a BIGINT. */
  private static LogicalPlan countsAsIntegers(LogicalPlan node) {
    if (node instanceof GlobalLimit limit && limit.limitExpr() instanceof PosParameter count) {
      return new GlobalLimit(integer(count), limit.child());
    }
    if (node instanceof LocalLimit limit && limit.limitExpr() instanceof PosParameter count) {
      return new LocalLimit(integer(count), limit.child());
    }
    if (node instanceof Offset offset && offset.offsetExpr() instanceof PosParameter count) {
      return new Offset(integer(count), offset.child());
    }
    return node;
  }

  private static Expression integer(Expression count) {
    return new Cast(count, DataTypes.IntegerType, Option.empty());
  }

  @Override
  public LogicalPlan parsePlan(String sql) throws ParseException {
    CubeText.check(sql);
    return Bounds.within(spark.parsePlan(sql));
  }

  @Override
  public Expression parseExpression(String sql) throws ParseException {
    return Bounds.within(spark.parseExpression(sql));
  }

  @Override
  public TableIdentifier parseTableIdentifier(String sql) throws ParseException {
    return spark.parseTableIdentifier(sql);
  }

  @Override
  public FunctionIdentifier parseFunctionIdentifier(String sql) throws ParseException {
    return spark.parseFunctionIdentifier(sql);
  }

  @Override
  public Seq<String> parseMultipartIdentifier(String sql) throws ParseException {
    return spark.parseMultipartIdentifier(sql);
  }

  @Override
  public LogicalPlan parseQuery(String sql) throws ParseException {
    CubeText.check(sql);
    return Bounds.within(spark.parseQuery(sql));
  }

  /** The parameters of a function in SQL. Iceberg's parser, which is below this one, does not know about them. */
  @Override
  public StructType parseRoutineParam(String sql) throws ParseException {
    return new SparkSqlParser().parseRoutineParam(sql);
  }

  @Override
  public StructType parseTableSchema(String sql) throws ParseException {
    return spark.parseTableSchema(sql);
  }

  @Override
  public DataType parseDataType(String sql) throws ParseException {
    return PlanBounds.checkType(spark.parseDataType(sql));
  }
}
