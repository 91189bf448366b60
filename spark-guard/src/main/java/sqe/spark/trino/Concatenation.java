package sqe.spark.trino;

import static sqe.spark.trino.Expressions.call;
import static sqe.spark.trino.Expressions.cast;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.CreateArray;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StringType;
import sqe.spark.Plans;

/** {@code ||} and {@code concat}: of text, of bytes, of arrays, and of an array with an element; NULL when one of them is NULL. */
final class Concatenation {
  private Concatenation() {}

  static void register(Map<String, Builder> functions) {
    functions.put("concat", Concatenation::concat);
  }

  static Expression concat(List<Expression> arguments) {
    if (arguments.size() < 2) {
      throw TrinoFailure.function("There must be two or more concatenation arguments");
    }
    DataType array = null;
    DataType plain = null;
    for (Expression each : arguments) {
      DataType type = each.dataType();
      if (type instanceof ArrayType) {
        array = array == null ? type : common(array, type, arguments);
      } else if (!(type instanceof NullType)) {
        plain = plain == null ? type : common(plain, type, arguments);
      }
    }
    if (array != null) {
      return arrays(arguments, (ArrayType) array, plain);
    }
    if (plain == null) {
      return call("concat", arguments.toArray(new Expression[0]));
    }
    if (!(plain instanceof StringType || plain instanceof BinaryType)) {
      throw refused(arguments);
    }
    List<Expression> all = new ArrayList<>();
    for (Expression each : arguments) {
      all.add(cast(Typed.plain(each), plain));
    }
    return typed(arguments, call("concat", all.toArray(new Expression[0])));
  }

  /** Of a type that all have and Spark does not tell from others; JSON and its like cannot be joined. */
  private static Expression typed(List<Expression> arguments, Expression made) {
    int length = 0;
    boolean padded = true;
    for (Expression each : arguments) {
      String type = Typed.of(each);
      if (type != null && !type.startsWith("varchar") && !type.startsWith("char")) {
        throw refused(arguments);
      }
      padded &= type != null && type.startsWith("char(");
      length += padded ? Integer.parseInt(type.substring(5, type.length() - 1)) : 0;
    }
    return padded ? Typed.as(made, "char(" + length + ")") : made;
  }

  private static DataType common(DataType left, DataType right, List<Expression> arguments) {
    DataType found = TrinoTypes.common(left, right);
    if (found == null) {
      throw refused(arguments);
    }
    return found;
  }

  private static Expression arrays(List<Expression> arguments, ArrayType array, DataType other) {
    boolean mixed = arguments.stream().anyMatch(each -> !(each.dataType() instanceof ArrayType));
    if (mixed && arguments.size() > 2) {
      throw refused(arguments);
    }
    DataType element = array.elementType();
    boolean whole = true;
    if (other != null) {
      element = TrinoTypes.common(element, other);
      whole = false;
      if (element == null) {
        throw refused(arguments);
      }
    } else if (mixed) {
      whole = !(element instanceof NullType) && !(element instanceof ArrayType);
    }
    List<Expression> all = new ArrayList<>();
    for (Expression each : arguments) {
      boolean one = !(each.dataType() instanceof ArrayType) && !whole;
      ArrayType type = DataTypes.createArrayType(element, true);
      all.add(one ? single(cast(Typed.plain(each), element), type) : cast(Typed.plain(each), type));
    }
    Expression made = call("concat", all.toArray(new Expression[0]));
    String type = null;
    for (Expression each : arguments) {
      type = type == null && each.dataType() instanceof ArrayType ? Typed.of(each) : type;
    }
    return type == null ? made : Typed.as(made, type);
  }

  /** The element in an array; NULL for NULL. */
  private static Expression single(Expression element, ArrayType type) {
    Expression made = new CreateArray(Plans.seq(List.of(element)), false);
    return element.nullable() ? new If(new IsNull(element), Expressions.nothing(type), cast(made, type)) : made;
  }

  private static TrinoFailure refused(List<Expression> arguments) {
    return TrinoFailure.function(
        "Unexpected parameters (" + String.join(", ", arguments.stream().map(TrinoTypes::text).toList()) + ") for function concat.");
  }
}
