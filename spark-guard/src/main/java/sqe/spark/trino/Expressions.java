package sqe.spark.trino;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.catalyst.analysis.UnresolvedFunction;
import org.apache.spark.sql.catalyst.expressions.Add;
import org.apache.spark.sql.catalyst.expressions.ArrayTransform;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GreaterThan;
import org.apache.spark.sql.catalyst.expressions.GreaterThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.IntegralDivide;
import org.apache.spark.sql.catalyst.expressions.LambdaFunction;
import org.apache.spark.sql.catalyst.expressions.LessThan;
import org.apache.spark.sql.catalyst.expressions.LessThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Multiply;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.NamedLambdaVariable;
import org.apache.spark.sql.catalyst.expressions.NumericEvalContext;
import org.apache.spark.sql.catalyst.expressions.Remainder;
import org.apache.spark.sql.catalyst.expressions.Subtract;
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import scala.Option;
import sqe.spark.Plans;

/** Spark's expressions, as the builders write them. */
final class Expressions {
  private static final NumericEvalContext ANSI = new NumericEvalContext(EvalMode.ANSI(), true);

  private Expressions() {}

  /**
   * A call of a function of Spark's by its name, bounded as if a user had written it; the analyzer coerces its arguments. It is looked
   * up here where that is possible: the analyzer would need another round for it, and for each call around it.
   */
  static Expression call(String name, Expression... arguments) {
    Expression made = SparkFunctions.built(name, arguments);
    return made != null
        ? made
        : new UnresolvedFunction(
            Plans.seq(List.of(name)), Plans.seq(List.of(arguments)), false, Option.empty(), false, Plans.seq(List.of()), false);
  }

  /** Spark's own operator on two operands of types that it takes. */
  static Expression operator(String symbol, Expression left, Expression right) {
    return switch (symbol) {
      case "=" -> new EqualTo(left, right);
      case "<=>" -> new EqualNullSafe(left, right);
      case "<" -> new LessThan(left, right);
      case "<=" -> new LessThanOrEqual(left, right);
      case ">" -> new GreaterThan(left, right);
      case ">=" -> new GreaterThanOrEqual(left, right);
      case "+" -> new Add(left, right, ANSI);
      case "-" -> new Subtract(left, right, ANSI);
      case "*" -> new Multiply(left, right, ANSI);
      case "%" -> new Remainder(left, right, ANSI);
      case "DIV" -> new IntegralDivide(left, right, ANSI);
      default -> throw new IllegalArgumentException(symbol);
    };
  }

  /** A call of a static method for each row; NULL for NULL. */
  static Expression invoke(Class<?> owner, String method, DataType returns, Expression... arguments) {
    return invoke(owner, method, returns, true, List.of(arguments));
  }

  static Expression invoke(Class<?> owner, String method, DataType returns, boolean nullForNull, List<Expression> arguments) {
    return new StaticInvoke(
        owner, returns, method, Plans.seq(arguments), Plans.seq(List.of()), nullForNull, true, true, Option.empty());
  }

  /** With the session's zone, which Spark's analyzer would give it later: a cast without one is not resolved. */
  static Expression cast(Expression value, DataType type) {
    boolean same = value.resolved() && value.dataType().sameType(type);
    return same ? value : new Cast(value, type, Option.apply(SQLConf.get().sessionLocalTimeZone()));
  }

  static Expression literal(int value) {
    return Literal.create(value, DataTypes.IntegerType);
  }

  static Expression literal(long value) {
    return Literal.create(value, DataTypes.LongType);
  }

  static Expression literal(boolean value) {
    return Literal.create(value, DataTypes.BooleanType);
  }

  static Expression literal(String value) {
    return new Literal(UTF8String.fromString(value), DataTypes.StringType);
  }

  static Expression nothing(DataType type) {
    return new Literal(null, type);
  }

  /** The text of a constant; null when it is none. */
  static String constantText(Expression expression) {
    Expression plain = Typed.plain(expression);
    return plain instanceof Literal literal && literal.value() instanceof UTF8String text ? text.toString() : null;
  }

  /** The number of a constant; null when it is none. */
  static Long constantNumber(Expression expression) {
    Expression plain = Typed.plain(expression);
    if (!(plain instanceof Literal literal) || literal.value() == null) {
      return null;
    }
    Object value = literal.value();
    boolean whole = value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte;
    return whole ? ((Number) value).longValue() : null;
  }

  /** The array with each element changed. */
  static Expression transform(Expression array, UnaryOperator<Expression> change) {
    ArrayType type = (ArrayType) array.dataType();
    NamedLambdaVariable element =
        new NamedLambdaVariable(
            "element", type.elementType(), type.containsNull(), NamedExpression.newExprId(), new AtomicReference<>());
    List<NamedExpression> arguments = new ArrayList<>();
    arguments.add(element);
    return new ArrayTransform(array, new LambdaFunction(change.apply(element), Plans.seq(arguments), false));
  }
}
