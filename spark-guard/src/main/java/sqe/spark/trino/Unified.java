package sqe.spark.trino;

import static sqe.spark.trino.Expressions.cast;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StringType;

/** The values in the type that all of them become without a cast, and Trino's name of it where Spark's does not say it. */
record Unified(List<Expression> values, DataType type, String typed) {
  Expression named(Expression made) {
    return typed == null ? made : Typed.as(made, typed);
  }

  static Unified of(List<Expression> arguments, String what) {
    if (Wide.isNeeded(arguments)) {
      List<Expression> wide = Wide.unified(arguments);
      if (wide == null) {
        throw mismatch(what, arguments);
      }
      String name = Typed.of(wide.get(0));
      return new Unified(wide.stream().map(Typed::plain).toList(), wide.get(0).dataType(), name);
    }
    DataType type = DataTypes.NullType;
    for (Expression each : arguments) {
      DataType common = TrinoTypes.common(type, each.dataType());
      if (common == null) {
        throw mismatch(what, arguments);
      }
      type = common;
    }
    String typed = type instanceof StringType ? textName(arguments, what) : TypeNames.merged(arguments);
    List<Expression> values = new ArrayList<>();
    for (Expression each : arguments) {
      Expression value = cast(Typed.plain(each), type);
      boolean padded = typed != null && typed.startsWith("char(");
      values.add(padded ? Typed.plain(Casts.to(value, TrinoType.of(typed))) : value);
    }
    return new Unified(values, type, typed);
  }

  private static TrinoFailure mismatch(String what, List<Expression> arguments) {
    return TrinoFailure.types(
        what + " must be the same type or coercible to a common type: "
            + String.join(", ", arguments.stream().map(TrinoTypes::text).toList()));
  }

  private static String textName(List<Expression> arguments, String what) {
    String found = null;
    boolean first = true;
    int length = 0;
    boolean padded = false;
    for (Expression each : arguments) {
      if (each.dataType() instanceof NullType) {
        continue;
      }
      Integer bound = Texts.boundOf(each);
      padded |= Texts.isChar(each);
      length = bound == null ? Integer.MAX_VALUE : Math.max(length, bound);
      String typed = Texts.isText(each) || Texts.isChar(each) ? null : Typed.of(each);
      if (!first && (typed == null ? found != null : !typed.equals(found))) {
        throw mismatch(what, arguments);
      }
      first = false;
      found = typed;
    }
    if (padded) {
      if (length > Texts.MAX_CHAR) {
        throw TrinoFailure.unsupported("A char and a varchar without a length have no common type here.");
      }
      return "char(" + length + ")";
    }
    return found;
  }
}
