package sqe.spark.trino;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.ArrayAggregate;
import org.apache.spark.sql.catalyst.expressions.ArrayRepeat;
import org.apache.spark.sql.catalyst.expressions.ArrayTransform;
import org.apache.spark.sql.catalyst.expressions.ArraysZip;
import org.apache.spark.sql.catalyst.expressions.CreateArray;
import org.apache.spark.sql.catalyst.expressions.CreateNamedStruct;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Flatten;
import org.apache.spark.sql.catalyst.expressions.GetArrayStructFields;
import org.apache.spark.sql.catalyst.expressions.GetStructField;
import org.apache.spark.sql.catalyst.expressions.LambdaFunction;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.MapEntries;
import org.apache.spark.sql.catalyst.expressions.MapFromArrays;
import org.apache.spark.sql.catalyst.expressions.MapFromEntries;
import org.apache.spark.sql.catalyst.expressions.MapKeys;
import org.apache.spark.sql.catalyst.expressions.MapValues;
import org.apache.spark.sql.catalyst.expressions.MapZipWith;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.NullIf;
import org.apache.spark.sql.catalyst.expressions.RuntimeReplaceable;
import org.apache.spark.sql.catalyst.expressions.ScalarSubquery;
import org.apache.spark.sql.catalyst.expressions.TransformKeys;
import org.apache.spark.sql.catalyst.expressions.TransformValues;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.catalyst.expressions.ZipWith;
import org.apache.spark.sql.catalyst.expressions.aggregate.CollectList;
import org.apache.spark.sql.catalyst.expressions.aggregate.CollectSet;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampType;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Finds Trino's type of an expression of Spark's that carries no name of its own, from the names of what it is made of: the element
 * of an array of {@code timestamp(0)} is a {@code timestamp(0)}.
 */
final class TypeNames {
  /** Expressions whose value is that of one of their operands of the same type, or is made of its elements alone. */
  private static final Set<String> PASSING =
      Set.of(
          "AggregateExpression", "AnyValue", "ArrayCompact", "ArrayDistinct", "ArrayExcept", "ArrayFilter", "ArrayIntersect",
          "ArrayRemove", "ArraySort", "ArrayUnion", "Bounded", "CaseWhen", "Cast", "CheckedValue", "Coalesce", "First", "If",
          "KnownNotNull", "Lag", "Last", "Lead", "MapConcat", "MapFilter", "Max", "MaxBy", "Min", "MinBy", "Mode", "NthValue",
          "Shuffle", "Slice", "SortArray", "TryEval");

  /** The same, of arrays alone: of text they make other text. */
  private static final Set<String> PASSING_ARRAYS = Set.of("Concat", "Reverse");

  private static final Set<String> PARTS = Set.of("ArrayMax", "ArrayMin", "ElementAt", "GetArrayItem", "GetMapValue");

  private TypeNames() {}

  /** Trino's type; null where Spark's says it, or nothing does. */
  static String of(Expression value) {
    if (!value.resolved() || !isOpen(value.dataType())) {
      return null;
    }
    if (value instanceof Alias alias) {
      return Typed.of(alias.child());
    }
    if (value instanceof NamedExpression || value instanceof Literal) {
      return null;
    }
    String found = found(value);
    // A name that does not fit would be worse than none.
    return found != null && fits(found, value.dataType()) ? found : null;
  }

  /** Whether values of a type of Spark's can be of several of Trino's. */
  private static boolean isOpen(DataType type) {
    boolean text = type instanceof StringType || type instanceof BinaryType || type instanceof LongType;
    return text || TrinoTypes.isTimestamp(type) || TrinoTypes.isNested(type);
  }

  private static String found(Expression value) {
    List<Expression> children = CollectionConverters.asJava(value.children());
    String kind = value.getClass().getSimpleName();
    if (PASSING.contains(kind) || (PASSING_ARRAYS.contains(kind) && value.dataType() instanceof ArrayType)) {
      return merged(children.stream().filter(child -> isSame(child, value)).toList());
    }
    if (PARTS.contains(kind)) {
      return last(children.get(0));
    }
    if (value instanceof WindowExpression window) {
      return Typed.of(window.windowFunction()); // its other operand, the window, has no type
    }
    if (value instanceof NullIf chosen) {
      return Typed.of(chosen.left());
    }
    if (value instanceof RuntimeReplaceable replaced) {
      return Typed.of(replaced.replacement());
    }
    if (value instanceof ScalarSubquery query) {
      return Typed.of((Expression) CollectionConverters.asJava(query.plan().output()).get(0));
    }
    if (value instanceof GetStructField field) {
      return field(field.child(), field.ordinal());
    }
    if (value instanceof GetArrayStructFields fields) {
      List<String> names = names(last(fields.child()));
      return array(fields.ordinal() < names.size() ? names.get(fields.ordinal()) : null);
    }
    return collection(value, children);
  }

  private static boolean isSame(Expression child, Expression value) {
    return child.resolved() && DataType.equalsIgnoreNullability(child.dataType(), value.dataType());
  }

  private static String field(Expression row, int ordinal) {
    if (row instanceof CreateNamedStruct made) {
      return Typed.of(CollectionConverters.asJava(made.children()).get(2 * ordinal + 1));
    }
    List<String> names = names(Typed.of(row));
    return ordinal < names.size() ? names.get(ordinal) : null;
  }

  private static String collection(Expression value, List<Expression> children) {
    if (value instanceof CreateArray) {
      return array(merged(children));
    } else if (value instanceof ArrayRepeat || value instanceof CollectList || value instanceof CollectSet) {
      return array(Typed.of(children.get(0)));
    } else if (value instanceof CreateNamedStruct row) {
      return row(row);
    } else if (value instanceof Flatten) {
      return last(children.get(0));
    } else if (value instanceof MapFromArrays) {
      return map(last(children.get(0)), last(children.get(1)), value.dataType());
    } else if (value instanceof MapFromEntries) {
      List<String> entry = names(last(children.get(0)));
      return entry.size() < 2 ? null : map(entry.get(0), entry.get(1), value.dataType());
    } else if (value instanceof MapKeys) {
      return array(first(children.get(0)));
    } else if (value instanceof MapValues) {
      return array(last(children.get(0)));
    } else if (value instanceof MapEntries || value instanceof ArraysZip) {
      return zipped(value, children);
    }
    return lambda(value, children);
  }

  private static String zipped(Expression value, List<Expression> children) {
    List<String> parts = new ArrayList<>();
    if (value instanceof MapEntries) {
      parts.add(first(children.get(0)));
      parts.add(last(children.get(0)));
    } else {
      children.stream().filter(child -> child.dataType() instanceof ArrayType).forEach(child -> parts.add(last(child)));
    }
    return value.dataType() instanceof ArrayType made && made.elementType() instanceof StructType row ? array(row(parts, row)) : null;
  }

  /** Of functions that take lambdas: what these make. */
  private static String lambda(Expression value, List<Expression> children) {
    if (value instanceof ArrayTransform transform) {
      String made = body(transform.function());
      return array(made == null ? ofField(transform) : made);
    } else if (value instanceof ZipWith zip) {
      return array(body(zip.function()));
    } else if (value instanceof TransformKeys keys) {
      return map(body(keys.function()), last(children.get(0)), value.dataType());
    } else if (value instanceof TransformValues values) {
      return map(first(children.get(0)), body(values.function()), value.dataType());
    } else if (value instanceof MapZipWith zip) {
      return map(first(children.get(0)), body(zip.function()), value.dataType());
    } else if (value instanceof ArrayAggregate aggregate) {
      String made = body(aggregate.finish());
      return made == null && isSame(aggregate.zero(), value) ? Typed.of(aggregate.zero()) : made;
    }
    return null;
  }

  /** The name of a field of the rows of an array, of which a lambda makes an array. */
  private static String ofField(ArrayTransform transform) {
    if (!(transform.function() instanceof LambdaFunction lambda)) {
      return null;
    }
    Expression body = lambda.function();
    while (body.getClass().getSimpleName().equals("CheckedValue")) {
      body = CollectionConverters.asJava(body.children()).get(0);
    }
    Expression item = (Expression) CollectionConverters.asJava(lambda.arguments()).get(0);
    if (!(body instanceof GetStructField field && field.child().semanticEquals(item))) {
      return null;
    }
    List<String> names = names(last(transform.argument()));
    return field.ordinal() < names.size() ? names.get(field.ordinal()) : null;
  }

  private static String body(Expression function) {
    return function instanceof LambdaFunction lambda ? Typed.of(lambda.function()) : null;
  }

  // The parts of a type's name.

  /** The names of the parts: an element; a key and a value; fields. Null for a part whose type Spark's says; none for other types. */
  static List<String> names(String type) {
    List<String> names = new ArrayList<>(parts(type));
    names.replaceAll(part -> TrinoType.of(part).needsName() ? part : null);
    return names;
  }

  private static List<String> parts(String type) {
    List<String> parts = new ArrayList<>();
    boolean nested = type != null && (type.startsWith("array(") || type.startsWith("map(") || type.startsWith("row("));
    if (!nested) {
      return parts;
    }
    int depth = 0;
    boolean quoted = false;
    int start = type.indexOf('(') + 1;
    for (int i = start; i < type.length(); i++) {
      char c = type.charAt(i);
      quoted ^= c == '"';
      if (!quoted && depth == 0 && (c == ',' || c == ')')) {
        parts.add(unnamed(type.substring(start, i).trim()));
        start = i + 1;
      }
      depth += quoted ? 0 : c == '(' ? 1 : c == ')' ? -1 : 0;
    }
    return parts;
  }

  /** The type of a field without the field's name. */
  private static String unnamed(String field) {
    if (!field.startsWith("\"")) {
      return field;
    }
    int end = 1;
    while (field.charAt(end) != '"' || (end + 1 < field.length() && field.charAt(end + 1) == '"')) {
      end += field.charAt(end) == '"' ? 2 : 1;
    }
    return field.substring(end + 1).trim();
  }

  /** A part of a collection, with the name that the collection's type has for its elements, or its values. */
  static Expression element(Expression collection, Expression made) {
    return named(made, last(collection));
  }

  static Expression named(Expression made, String type) {
    return type == null ? made : Typed.as(made, type);
  }

  /** The value as a part of a row or a map: its zone is a part of it, since other parts may have others. */
  static Expression part(Expression value) {
    boolean zoned = value.dataType() instanceof TimestampType && Typed.zone(value) != null;
    return zoned && !Typed.OWN_ZONES.equals(Typed.zone(value)) ? Wide.widened(value, Wide.typeOf(value)) : value;
  }

  static String first(Expression value) {
    List<String> names = names(Typed.of(value));
    return names.isEmpty() ? null : names.get(0);
  }

  static String last(Expression value) {
    List<String> names = names(Typed.of(value));
    return names.isEmpty() ? null : names.get(names.size() - 1);
  }

  static String array(String element) {
    return element == null ? null : "array(" + element + ")";
  }

  /** The name of a map's type; null where neither part has one. */
  static String map(String key, String value, DataType type) {
    if ((key == null && value == null) || !(type instanceof MapType map)) {
      return null;
    }
    return "map(" + (key == null ? text(map.keyType()) : key) + ", " + (value == null ? text(map.valueType()) : value) + ")";
  }

  private static String row(CreateNamedStruct row) {
    List<String> names = new ArrayList<>();
    List<Expression> parts = CollectionConverters.asJava(row.children());
    for (int i = 1; i < parts.size(); i += 2) {
      names.add(Typed.of(parts.get(i)));
    }
    return row(names, row.dataType());
  }

  /** The name of a row's type; null where no part has one. */
  static String row(List<String> parts, StructType type) {
    if (Wide.of(type) != null || parts.size() != type.length() || parts.stream().allMatch(part -> part == null)) {
      return null;
    }
    List<String> all = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      StructField field = type.fields()[i];
      all.add(fieldName(field.name(), i) + (parts.get(i) == null ? text(field.dataType()) : parts.get(i)));
    }
    return "row(" + String.join(", ", all) + ")";
  }

  /** Nothing where Trino's field has no name. */
  private static String fieldName(String name, int place) {
    boolean none = name.equals("field" + place) || name.equals("col" + (place + 1));
    return none ? "" : "\"" + name.replace("\"", "\"\"") + "\" ";
  }

  /** The name of a type that Spark's says, in the form that names have. */
  static String text(DataType type) {
    if (type instanceof ArrayType array) {
      return "array(" + text(array.elementType()) + ")";
    } else if (type instanceof MapType map) {
      return "map(" + text(map.keyType()) + ", " + text(map.valueType()) + ")";
    } else if (type instanceof StructType row && Wide.of(type) == null) {
      List<String> fields = new ArrayList<>();
      for (int i = 0; i < row.length(); i++) {
        fields.add(fieldName(row.fields()[i].name(), i) + text(row.fields()[i].dataType()));
      }
      return "row(" + String.join(", ", fields) + ")";
    }
    return TrinoTypes.text(type);
  }

  /** The name of the type of several values, of which each becomes the result or a part of it; null where Spark's type says it. */
  static String merged(List<Expression> values) {
    String found = null;
    boolean named = false;
    for (Expression each : values) {
      boolean nothing = Typed.plain(each) instanceof Literal literal && literal.value() == null;
      if (each.dataType() instanceof NullType || nothing) {
        continue;
      }
      String own = Typed.of(each);
      named |= own != null;
      String full = own == null ? text(each.dataType()) : own;
      found = found == null ? full : merged(found, full);
      if (found == null) {
        return null;
      }
    }
    return named ? found : null;
  }

  /** The type of two values: the one with more digits of a second; null when they have none in common. */
  static String merged(String one, String other) {
    if (one.equals(other) || other.equals("unknown")) {
      return one;
    }
    if (one.equals("unknown")) {
      return other;
    }
    boolean dated = one.startsWith("timestamp(") || other.startsWith("timestamp(");
    if (dated && (one.equals("date") || other.equals("date"))) {
      return one.equals("date") ? other : one;
    }
    if (one.startsWith("timestamp(") && other.startsWith("timestamp(")) {
      boolean same = one.substring(one.indexOf(')')).equals(other.substring(other.indexOf(')')));
      return !same ? null : digits(one) >= digits(other) ? one : other;
    }
    if (one.startsWith("varchar") && other.startsWith("varchar")) {
      return "varchar";
    }
    List<String> first = parts(one);
    List<String> second = parts(other);
    boolean alike = one.substring(0, one.indexOf('(') + 1).equals(other.substring(0, other.indexOf('(') + 1));
    if (first.isEmpty() || first.size() != second.size() || !alike || one.startsWith("row(")) {
      return null;
    }
    List<String> all = new ArrayList<>();
    for (int i = 0; i < first.size(); i++) {
      String part = merged(first.get(i), second.get(i));
      if (part == null) {
        return null;
      }
      all.add(part);
    }
    return one.substring(0, one.indexOf('(') + 1) + String.join(", ", all) + ")";
  }

  private static int digits(String type) {
    return Integer.parseInt(type.substring(type.indexOf('(') + 1, type.indexOf(')')));
  }

  /** Whether a name can be that of values of a type of Spark's. */
  private static boolean fits(String name, DataType type) {
    if (type instanceof ArrayType array) {
      return name.startsWith("array(") && fits(parts(name).get(0), array.elementType());
    } else if (type instanceof MapType map) {
      List<String> parts = parts(name);
      return name.startsWith("map(") && fits(parts.get(0), map.keyType()) && fits(parts.get(1), map.valueType());
    } else if (type instanceof StructType row && Wide.of(type) == null) {
      List<String> parts = parts(name);
      boolean all = name.startsWith("row(") && parts.size() == row.length();
      for (int i = 0; all && i < row.length(); i++) {
        all = fits(parts.get(i), row.fields()[i].dataType());
      }
      return all;
    } else if (type instanceof NullType) {
      return true;
    }
    DataType own = TrinoType.of(name).spark();
    return own.sameType(type) || (own instanceof StringType && type instanceof StringType);
  }
}
