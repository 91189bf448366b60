package sqe.spark.trino;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.LambdaFunction;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.UnresolvedNamedLambdaVariable;
import org.apache.spark.sql.types.DataTypes;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;
import sqe.spark.Plans;

/**
 * Spark's functions that take lambdas, whose variables get the names of Trino's types: an element of an array of {@code ipaddress}
 * is an {@code ipaddress} in the lambda, too.
 */
final class Lambdas {
  private Lambdas() {}

  static void register(Map<String, Builder> functions) {
    functions.put("array_sort", Lambdas::sorted);
    for (String name : List.of("transform", "filter", "exists", "forall", "zip_with")) {
      functions.put(name, arguments -> build(name, arguments, Lambdas::elements));
    }
    for (String name : List.of("map_filter", "transform_keys", "transform_values", "map_zip_with")) {
      functions.put(name, arguments -> build(name, arguments, Lambdas::entries));
    }
  }

  /** In the order that a lambda says, which is to be -1, 0 or 1, or in that of the elements. */
  private static Expression sorted(List<Expression> arguments) {
    if (arguments.size() != 2 || !(arguments.get(1) instanceof LambdaFunction order)) {
      return ArrayFunctions.sorted(arguments);
    }
    Expression number = new Cast(order.function(), DataTypes.LongType, Option.empty());
    Expression checked = Expressions.invoke(ArrayMethods.class, "order", DataTypes.IntegerType, false, List.of(number));
    Expression lambda = new LambdaFunction(checked, order.arguments(), order.hidden());
    return build("array_sort", List.of(arguments.get(0), lambda), Lambdas::elements);
  }

  /** Chooses the names of the variables of a function's lambda. */
  @FunctionalInterface
  private interface Variables {
    List<String> names(List<Expression> collections);
  }

  private static Expression build(String name, List<Expression> arguments, Variables variables) {
    List<Expression> collections = arguments.stream().filter(each -> !(each instanceof LambdaFunction)).toList();
    List<Expression> all = new ArrayList<>();
    for (Expression each : arguments) {
      all.add(each instanceof LambdaFunction lambda ? typed(lambda, variables.names(collections)) : each); // with its name, which the result may have
    }
    return (Expression) FunctionRegistry.builtin().lookupFunction(new FunctionIdentifier(name), Plans.seq(all));
  }

  /** The elements of each array; those of one array twice, where a lambda compares them. */
  private static List<String> elements(List<Expression> arrays) {
    List<String> names = new ArrayList<>();
    arrays.forEach(array -> names.add(TypeNames.last(array)));
    names.add(names.get(0));
    return names;
  }

  /** The key of the first map, and the value of each. */
  private static List<String> entries(List<Expression> maps) {
    List<String> names = new ArrayList<>();
    names.add(TypeNames.first(maps.get(0)));
    maps.forEach(map -> names.add(TypeNames.last(map)));
    return names;
  }

  /** The lambda with the names of its variables' types, in their order. */
  static Expression typed(LambdaFunction lambda, List<String> names) {
    Map<String, String> known = new HashMap<>();
    List<NamedExpression> variables = CollectionConverters.asJava(lambda.arguments());
    for (int i = 0; i < variables.size() && i < names.size(); i++) {
      if (names.get(i) != null) {
        known.put(variables.get(i).name(), names.get(i));
      }
    }
    return known.isEmpty() ? lambda : new LambdaFunction(replaced(lambda.function(), known), lambda.arguments(), lambda.hidden());
  }

  private static Expression replaced(Expression value, Map<String, String> known) {
    if (value instanceof UnresolvedNamedLambdaVariable variable) {
      String type = CollectionConverters.asJava(variable.nameParts()).size() == 1 ? known.get(variable.name()) : null;
      return type == null ? value : Typed.as(value, type);
    }
    if (value instanceof LambdaFunction inner) {
      Map<String, String> others = new HashMap<>(known);
      CollectionConverters.asJava(inner.arguments()).forEach(variable -> others.remove(variable.name()));
      return new LambdaFunction(replaced(inner.function(), others), inner.arguments(), inner.hidden());
    }
    return (Expression) value.mapChildren(child -> replaced((Expression) child, known));
  }
}
