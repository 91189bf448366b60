package sqe.spark.trino;

import static sqe.spark.trino.Expressions.cast;
import static sqe.spark.trino.Expressions.literal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.analysis.SimpleTableFunctionRegistry;
import org.apache.spark.sql.catalyst.expressions.ArrayTransform;
import org.apache.spark.sql.catalyst.expressions.ArraysZip;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.CreateArray;
import org.apache.spark.sql.catalyst.expressions.CreateNamedStruct;
import org.apache.spark.sql.catalyst.expressions.Explode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.catalyst.expressions.Generator;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.Inline;
import org.apache.spark.sql.catalyst.expressions.LambdaFunction;
import org.apache.spark.sql.catalyst.expressions.MapEntries;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.NamedLambdaVariable;
import org.apache.spark.sql.catalyst.plans.logical.Generate;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.OneRowRelation;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;
import sqe.spark.Plans;

/**
 * {@code UNNEST}, as table functions: an array gives one column, an array of rows one for each field, and a map two. Several are read
 * side by side, the shorter ones filled with NULL.
 */
final class Unnest {
  private Unnest() {}

  static void register(SimpleTableFunctionRegistry functions) {
    register(functions, "unnest", false);
    register(functions, "unnest_ordinality", true);
  }

  private static void register(SimpleTableFunctionRegistry functions, String name, boolean ordinality) {
    String full = TrinoFunctions.PREFIX + name;
    ExpressionInfo info = new ExpressionInfo(Unnest.class.getName(), null, full);
    functions.registerFunction(new FunctionIdentifier(full), info, new Built(ordinality));
  }

  private static final class Built extends AbstractFunction1<Seq<Expression>, LogicalPlan> {
    private final boolean ordinality;

    Built(boolean ordinality) {
      this.ordinality = ordinality;
    }

    @Override
    public LogicalPlan apply(Seq<Expression> arguments) {
      Generator generator = generator(CollectionConverters.asJava(arguments), ordinality);
      return new Generate(
          generator, Plans.seq(List.of()), false, Option.empty(), Plans.seq(List.of()), new OneRowRelation());
    }
  }

  static Generator generator(List<Expression> arguments, boolean ordinality) {
    Expression only = Typed.plain(arguments.get(0));
    if (arguments.size() == 1 && !ordinality && Typed.of(arguments.get(0)) == null) {
      boolean rows = only.dataType() instanceof ArrayType array && array.elementType() instanceof StructType && Wide.of(array.elementType()) == null;
      if (rows) {
        return new Inline(only);
      }
      if (only.dataType() instanceof ArrayType || only.dataType() instanceof MapType) {
        return new Explode(only);
      }
    }
    List<Expression> arrays = new ArrayList<>();
    List<Expression> names = new ArrayList<>();
    for (Expression each : arguments) {
      Expression array = array(each);
      Expression none = cast(new CreateArray(Plans.seq(List.of()), false), array.dataType());
      names.add(literal("a" + names.size()));
      arrays.add(array.nullable() ? new Coalesce(Plans.seq(List.of(array, none))) : array);
    }
    Expression zipped = new ArraysZip(Plans.seq(arrays), Plans.seq(names));
    ArrayType type = (ArrayType) zipped.dataType();
    NamedLambdaVariable item = variable("item", type.elementType(), type.containsNull());
    NamedLambdaVariable at = variable("at", DataTypes.IntegerType, false);
    List<Expression> parts = new ArrayList<>();
    for (int i = 0; i < arrays.size(); i++) {
      columns(new GetStructField(item, i, Option.empty()), names(arguments.get(i)), parts);
    }
    List<NamedExpression> variables = new ArrayList<>(List.of(item));
    if (ordinality) {
      parts.add(literal("col" + parts.size() / 2));
      parts.add(Expressions.operator("+", cast(at, DataTypes.LongType), literal(1L)));
      variables.add(at);
    }
    Expression row = new CreateNamedStruct(Plans.seq(parts));
    return new Inline(new ArrayTransform(zipped, new LambdaFunction(row, Plans.seq(variables), false)));
  }

  /** Trino's names of the types of the columns that a value gives, where Spark's do not say them. */
  private static List<String> names(Expression value) {
    String type = Typed.of(value);
    boolean map = value.dataType() instanceof MapType;
    String element = TypeNames.last(value);
    boolean rows = value.dataType() instanceof ArrayType array && array.elementType() instanceof StructType && element != null && element.startsWith("row(");
    return map || type == null ? TypeNames.names(type) : rows ? TypeNames.names(element) : Arrays.asList(element);
  }

  private static void columns(Expression value, List<String> names, List<Expression> parts) {
    if (value.dataType() instanceof StructType row && Wide.of(row) == null) {
      for (int i = 0; i < row.length(); i++) {
        parts.add(literal(row.fields()[i].name()));
        parts.add(TypeNames.named(new GetStructField(value, i, Option.empty()), i < names.size() ? names.get(i) : null));
      }
    } else {
      parts.add(literal("col" + parts.size() / 2));
      parts.add(TypeNames.named(value, names.isEmpty() ? null : names.get(0)));
    }
  }

  private static NamedLambdaVariable variable(String name, DataType type, boolean nullable) {
    return new NamedLambdaVariable(name, type, nullable, NamedExpression.newExprId(), new AtomicReference<>());
  }

  private static Expression array(Expression value) {
    Expression plain = Typed.plain(value);
    if (plain.dataType() instanceof ArrayType) {
      return plain;
    }
    if (plain.dataType() instanceof MapType) {
      return new MapEntries(plain);
    }
    if (plain.dataType() instanceof NullType) {
      return cast(plain, new ArrayType(DataTypes.NullType, true));
    }
    throw TrinoFailure.types("Cannot unnest type: " + TrinoTypes.text(value));
  }
}
