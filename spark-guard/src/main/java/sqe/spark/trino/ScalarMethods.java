package sqe.spark.trino;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.LambdaFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.unsafe.types.UTF8String;

/** Functions that are static methods, marked with {@link Scalar}: chooses the form that takes a call's arguments. */
final class ScalarMethods {
  private static final List<Class<?>> HOLDERS =
      List.of(
          BinaryFunctions.class,
          FormatFunctions.class,
          JsonFunctions.class,
          MathFunctions.class,
          RegexFunctions.class,
          SpookyHash.class,
          StringFunctions.class,
          UrlFunctions.class);

  private static final Map<Class<?>, DataType> TYPES =
      Map.of(
          boolean.class, DataTypes.BooleanType,
          byte.class, DataTypes.ByteType,
          short.class, DataTypes.ShortType,
          int.class, DataTypes.IntegerType,
          long.class, DataTypes.LongType,
          float.class, DataTypes.FloatType,
          double.class, DataTypes.DoubleType,
          UTF8String.class, DataTypes.StringType,
          byte[].class, DataTypes.BinaryType);

  private ScalarMethods() {}

  static void register(Map<String, Builder> functions) {
    Map<String, List<Form>> forms = new LinkedHashMap<>();
    for (Class<?> holder : HOLDERS) {
      for (Method method : holder.getDeclaredMethods()) {
        Scalar scalar = method.getAnnotation(Scalar.class);
        if (scalar != null) {
          String name = scalar.value().isEmpty() ? method.getName() : scalar.value();
          forms.computeIfAbsent(name, none -> new ArrayList<>()).add(Form.of(method, scalar));
        }
      }
    }
    forms.forEach((name, all) -> functions.put(name, arguments -> build(name, all, arguments)));
  }

  /** One method, with Spark's types. */
  private record Form(Class<?> owner, String method, List<DataType> takes, DataType returns, String typed, boolean nulls) {
    static Form of(Method method, Scalar scalar) {
      List<DataType> takes = new ArrayList<>();
      Class<?>[] parameters = method.getParameterTypes();
      for (int i = 0; i < parameters.length; i++) {
        takes.add(type(i < scalar.takes().length ? scalar.takes()[i] : "", parameters[i], method));
      }
      DataType returns = type(scalar.returns(), method.getReturnType(), method);
      return new Form(method.getDeclaringClass(), method.getName(), takes, returns, scalar.typed(), scalar.nulls());
    }

    private static DataType type(String written, Class<?> java, Method method) {
      DataType found = written.isEmpty() ? TYPES.get(java) : DataType.fromDDL(written);
      if (found == null) {
        throw new IllegalStateException("no type of Spark's for " + java + " in " + method);
      }
      return found;
    }

    int distance(List<Expression> arguments) {
      if (arguments.size() != takes.size()) {
        return TrinoTypes.NEVER;
      }
      int sum = 0;
      for (int i = 0; i < takes.size(); i++) {
        boolean text = takes.get(i) instanceof StringType && arguments.get(i).dataType() instanceof StringType;
        boolean taken = (i > 0 && Texts.isChar(arguments.get(i)) && (regex() || json())) || (i == 0 && Typed.is(arguments.get(i), "json") && json());
        boolean other = text && !Texts.isText(arguments.get(i)) && !taken;
        sum += other ? TrinoTypes.NEVER : TrinoTypes.distance(arguments.get(i).dataType(), takes.get(i));
      }
      return sum;
    }

    /** Whether the second argument is a pattern, which may be a CHAR. */
    private boolean regex() {
      return owner == RegexFunctions.class;
    }

    /** Whether the first argument may be JSON as well as its text. */
    private boolean json() {
      return owner == JsonFunctions.class && !method.equals("jsonParse");
    }

    Expression call(List<Expression> arguments) {
      List<Expression> cast = new ArrayList<>();
      for (int i = 0; i < takes.size(); i++) {
        cast.add(Expressions.cast(Typed.plain(arguments.get(i)), takes.get(i)));
      }
      Expression made = Expressions.invoke(owner, method, returns, !nulls, cast);
      return typed.isEmpty() ? made : Typed.as(made, typed);
    }

    String text(String name) {
      return name + "(" + String.join(", ", takes.stream().map(TrinoTypes::text).toList()) + ")";
    }
  }

  private static Expression build(String name, List<Form> forms, List<Expression> arguments) {
    if (arguments.stream().anyMatch(LambdaFunction.class::isInstance)) {
      throw TrinoFailure.function("Unexpected parameters (<function>) for function " + name);
    }
    Form best = null;
    int least = TrinoTypes.NEVER;
    for (Form form : forms) {
      int distance = form.distance(arguments);
      if (distance < least) {
        least = distance;
        best = form;
      }
    }
    if (best == null) {
      throw TrinoFailure.function(
          "Unexpected parameters ("
              + String.join(", ", arguments.stream().map(TrinoTypes::text).toList())
              + ") for function "
              + name
              + ". Expected: "
              + String.join(", ", forms.stream().map(form -> form.text(name)).toList()));
    }
    return best.call(arguments);
  }
}
