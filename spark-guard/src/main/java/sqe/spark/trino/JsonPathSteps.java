package sqe.spark.trino;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.spark.unsafe.types.UTF8String;
import sqe.spark.trino.JsonPath.Step;
import sqe.spark.trino.JsonPath.Test;
import sqe.spark.trino.JsonPathScope.Failed;

/** The parts of a path of SQL/JSON. */
final class JsonPathSteps {
  private static final int MAX_PRECISION = 38;

  private JsonPathSteps() {}

  /** One index, or those from one to another. */
  record Subscript(Step from, Step to) {}

  static Step constant(Object item) {
    List<Object> items = List.of(item);
    return scope -> items;
  }

  /** A number as the path has it. */
  static Object number(String text) {
    if (text.indexOf('e') >= 0 || text.indexOf('E') >= 0) {
      return Double.parseDouble(text);
    }
    try {
      if (text.indexOf('.') < 0) {
        long value = Long.parseLong(text);
        return value <= Integer.MAX_VALUE ? (Object) (int) value : (Object) value;
      }
    } catch (NumberFormatException e) {
      throw TrinoFailure.argument("Invalid numeric literal: " + text);
    }
    BigDecimal value = new BigDecimal(text);
    if (Math.max(value.precision(), value.scale()) > MAX_PRECISION) {
      throw TrinoFailure.argument("Invalid decimal literal: " + text);
    }
    return value;
  }

  static JsonNode node(Object item) {
    if (item instanceof JsonNode node) {
      return node;
    } else if (item instanceof Boolean value) {
      return BooleanNode.valueOf(value);
    } else if (item instanceof String value) {
      return TextNode.valueOf(value);
    } else if (item instanceof Integer value) {
      return IntNode.valueOf(value);
    } else if (item instanceof Long value) {
      return LongNode.valueOf(value);
    } else if (item instanceof Double value) {
      return DoubleNode.valueOf(value);
    }
    return DecimalNode.valueOf((BigDecimal) item);
  }

  /** The SQL value of a scalar that is not JSON's null; null for all else. */
  static Object scalar(Object item) {
    if (!(item instanceof JsonNode node)) {
      return item;
    }
    if (node.isBoolean()) {
      return node.booleanValue();
    } else if (node.isTextual()) {
      return node.textValue();
    } else if (node instanceof BigIntegerNode) {
      throw new Failed("cannot convert " + node + " to Trino value (value too big)");
    } else if (node.isInt()) {
      return node.intValue();
    } else if (node.isLong()) {
      return node.longValue();
    }
    return node.isNumber() ? (Object) node.doubleValue() : null;
  }

  private static Object number(Object item) {
    Object value = scalar(item);
    if (value instanceof Number) {
      return value;
    }
    throw wrong("NUMBER", item);
  }

  private static Failed wrong(String expected, Object item) {
    String actual =
        item instanceof JsonNode node ? node.getNodeType().name() : item instanceof String ? "varchar" : item instanceof Boolean ? "boolean" : "number";
    return new Failed("invalid item type. Expected: " + expected + ", actual: " + actual);
  }

  private static List<Object> items(Step step, JsonPathScope scope) {
    List<Object> items = step.run(scope);
    scope.count(items.size());
    return items;
  }

  /** The items, with an array's elements in its place in lax mode. */
  private static List<Object> unwrapped(Step step, JsonPathScope scope) {
    List<Object> items = items(step, scope);
    if (!scope.lax() || items.stream().noneMatch(item -> item instanceof JsonNode node && node.isArray())) {
      return items;
    }
    List<Object> all = new ArrayList<>();
    for (Object item : items) {
      if (item instanceof JsonNode node && node.isArray()) {
        scope.count(node.size());
        node.forEach(all::add);
      } else {
        all.add(item);
      }
    }
    return all;
  }

  private static Step each(Step base, UnaryOperator<Object> change) {
    return scope -> {
      List<Object> made = new ArrayList<>();
      for (Object item : unwrapped(base, scope)) {
        made.add(change.apply(item));
      }
      return made;
    };
  }

  static Step signed(boolean negative, Step base) {
    return each(
        base,
        item -> {
          Object value = number(item);
          return negative ? (value instanceof Double number ? (Object) (-number) : calculated("-", 0, value)) : value;
        });
  }

  static Step arithmetic(String operator, Step left, Step right) {
    return scope -> {
      List<Object> first = unwrapped(left, scope);
      List<Object> second = unwrapped(right, scope);
      if (first.size() != 1 || second.size() != 1) {
        throw new Failed("arithmetic binary expression requires singleton operands");
      }
      return List.of(calculated(operator, number(first.get(0)), number(second.get(0))));
    };
  }

  private static Object calculated(String operator, Object left, Object right) {
    try {
      if (left instanceof Double || right instanceof Double) {
        double a = ((Number) left).doubleValue();
        double b = ((Number) right).doubleValue();
        return switch (operator) {
          case "+" -> a + b;
          case "-" -> a - b;
          case "*" -> a * b;
          case "/" -> a / b;
          default -> a % b;
        };
      }
      if (left instanceof BigDecimal || right instanceof BigDecimal) {
        return decimal(operator, exact(left), exact(right));
      }
      long a = ((Number) left).longValue();
      long b = ((Number) right).longValue();
      long value =
          switch (operator) {
            case "+" -> Math.addExact(a, b);
            case "-" -> Math.subtractExact(a, b);
            case "*" -> Math.multiplyExact(a, b);
            case "/" -> a == Long.MIN_VALUE && b == -1 ? Math.negateExact(a) : a / b;
            default -> a % b;
          };
      return left instanceof Integer && right instanceof Integer ? (Object) Math.toIntExact(value) : (Object) value;
    } catch (ArithmeticException e) {
      throw new Failed(e.getMessage());
    }
  }

  private static BigDecimal exact(Object value) {
    return value instanceof BigDecimal decimal ? decimal : BigDecimal.valueOf(((Number) value).longValue());
  }

  private static BigDecimal decimal(String operator, BigDecimal left, BigDecimal right) {
    int scale = Math.max(left.scale(), right.scale());
    BigDecimal value =
        switch (operator) {
          case "+" -> left.add(right);
          case "-" -> left.subtract(right);
          case "*" -> left.multiply(right);
          case "/" -> left.divide(right, scale, RoundingMode.HALF_UP);
          default -> left.remainder(right).setScale(scale, RoundingMode.UNNECESSARY);
        };
    if (Math.max(value.precision(), value.scale()) > MAX_PRECISION) {
      throw new ArithmeticException("Decimal overflow");
    }
    return value;
  }

  /** The members of a name, or all. */
  static Step members(Step base, String name) {
    return scope -> {
      List<Object> made = new ArrayList<>();
      for (Object item : unwrapped(base, scope)) {
        boolean object = item instanceof JsonNode node && node.isObject();
        if (!object) {
          if (!scope.lax()) {
            throw wrong("OBJECT", item);
          }
        } else if (name == null) {
          ((JsonNode) item).forEach(made::add);
        } else {
          JsonNode member = ((JsonNode) item).get(name);
          if (member != null) {
            made.add(member);
          } else if (!scope.lax()) {
            throw new Failed("structural error: missing member '" + name + "' in JSON object");
          }
        }
      }
      return made;
    };
  }

  static Step descendants(Step base, String name) {
    return scope -> {
      List<Object> made = new ArrayList<>();
      for (Object item : items(base, scope)) {
        if (item instanceof JsonNode node) {
          descend(node, name, scope, made);
        }
      }
      return made;
    };
  }

  private static void descend(JsonNode node, String name, JsonPathScope scope, List<Object> made) {
    scope.count(0);
    JsonNode member = node.isObject() ? node.get(name) : null;
    if (member != null) {
      made.add(member);
    }
    for (JsonNode child : node) {
      descend(child, name, scope, made);
    }
  }

  /** The elements of some indices; all without one. */
  static Step elements(Step base, List<Subscript> subscripts) {
    return scope -> {
      List<Object> made = new ArrayList<>();
      for (Object item : items(base, scope)) {
        boolean array = item instanceof JsonNode node && node.isArray();
        if (!array && !scope.lax()) {
          throw wrong("ARRAY", item);
        }
        int size = array ? ((JsonNode) item).size() : 1;
        scope.count(subscripts.isEmpty() ? size : 0);
        if (subscripts.isEmpty()) {
          for (int i = 0; i < size; i++) {
            made.add(array ? ((JsonNode) item).get(i) : item);
          }
        } else if (size == 0) {
          if (!scope.lax()) {
            throw new Failed("structural error: invalid array subscript for empty array");
          }
        } else {
          for (Subscript subscript : subscripts) {
            pick(subscript, item, array, size, scope, made);
          }
        }
      }
      return made;
    };
  }

  private static void pick(
      Subscript subscript, Object item, boolean array, int size, JsonPathScope scope, List<Object> made) {
    JsonPathScope inner = scope.withLast(size - 1);
    long from = index(subscript.from(), inner, "from");
    long to = subscript.to() == null ? from : index(subscript.to(), inner, "to");
    if (!scope.lax() && (from < 0 || from >= size || to < 0 || to >= size || from > to)) {
      throw new Failed(
          "structural error: invalid array subscript: [" + from + ", " + to + "] for array of size " + size);
    }
    for (long i = Math.max(from, 0); i <= Math.min(to, size - 1); i++) {
      scope.count(0);
      made.add(array ? ((JsonNode) item).get((int) i) : item);
    }
  }

  private static long index(Step step, JsonPathScope scope, String which) {
    List<Object> items = items(step, scope);
    if (items.size() != 1) {
      throw new Failed("array subscript '" + which + "' value must be singleton numeric");
    }
    Object value = number(items.get(0));
    if (value instanceof Double number) {
      if (items.get(0) instanceof JsonNode) { // its fraction is dropped, that of a value is rounded
        if (!(number >= -0x1p63 && number < 0x1p63)) {
          throw new Failed("cannot convert value " + number + " to long");
        }
        return number.longValue();
      }
      try {
        return CastMethods.toLong(number, Long.MAX_VALUE, UTF8String.fromString("bigint"));
      } catch (TrinoFailure.Cast e) {
        throw new Failed(e.getMessage());
      }
    }
    try {
      return value instanceof BigDecimal decimal
          ? decimal.setScale(0, RoundingMode.HALF_UP).longValueExact()
          : ((Number) value).longValue();
    } catch (ArithmeticException e) {
      throw new Failed(e.getMessage());
    }
  }

  static Step filtered(Step base, Test test) {
    return scope -> {
      List<Object> made = new ArrayList<>();
      for (Object item : unwrapped(base, scope)) {
        if (Boolean.TRUE.equals(test.run(scope.withCurrent(item)))) {
          made.add(item);
        }
      }
      return made;
    };
  }

  /** A method such as {@code .size()}; null when there is none of the name. */
  static Step method(String name, Step base) {
    return switch (name) {
      case "abs" -> each(base, item -> absolute(number(item)));
      case "ceiling" -> each(base, item -> rounded(number(item), RoundingMode.CEILING));
      case "floor" -> each(base, item -> rounded(number(item), RoundingMode.FLOOR));
      case "double" -> each(base, JsonPathSteps::asDouble);
      case "size" -> scope -> mapped(items(base, scope), item -> size(item, scope.lax()));
      case "type" -> scope -> mapped(items(base, scope), JsonPathSteps::type);
      case "keyvalue" -> scope -> keyValues(unwrapped(base, scope), scope);
      default -> null;
    };
  }

  private static List<Object> mapped(List<Object> items, Function<Object, Object> change) {
    List<Object> made = new ArrayList<>();
    for (Object item : items) {
      made.add(change.apply(item));
    }
    return made;
  }

  private static Object absolute(Object value) {
    if (value instanceof Double number) {
      return Math.abs(number);
    }
    return exact(value).signum() < 0 ? calculated("-", 0, value) : value;
  }

  private static Object rounded(Object value, RoundingMode mode) {
    if (value instanceof Double number) {
      return mode == RoundingMode.CEILING ? Math.ceil(number) : Math.floor(number);
    }
    return value instanceof BigDecimal decimal ? decimal.setScale(0, mode) : value;
  }

  private static Object asDouble(Object item) {
    Object value = scalar(item);
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    if (value instanceof String text) {
      try {
        return CastMethods.toDouble(UTF8String.fromString(text));
      } catch (TrinoFailure.Cast e) {
        throw new Failed(e.getMessage());
      }
    }
    throw wrong("NUMBER or TEXT", item);
  }

  private static Object size(Object item, boolean lax) {
    if (item instanceof JsonNode node && node.isArray()) {
      return node.size();
    }
    if (!lax) {
      throw wrong("ARRAY", item);
    }
    return 1;
  }

  private static Object type(Object item) {
    return switch (node(item).getNodeType()) {
      case NUMBER -> "number";
      case STRING -> "string";
      case BOOLEAN -> "boolean";
      case ARRAY -> "array";
      case OBJECT -> "object";
      default -> "null";
    };
  }

  private static List<Object> keyValues(List<Object> items, JsonPathScope scope) {
    List<Object> made = new ArrayList<>();
    for (Object item : items) {
      if (!(item instanceof JsonNode node && node.isObject())) {
        throw wrong("OBJECT", item);
      }
      int id = scope.nextObject();
      for (Map.Entry<String, JsonNode> member : ((JsonNode) item).properties()) {
        ObjectNode pair = JsonNodeFactory.instance.objectNode();
        pair.put("name", member.getKey());
        pair.set("value", member.getValue());
        pair.put("id", id);
        made.add(pair);
      }
    }
    return made;
  }

  // The conditions: an error leaves them unknown.

  private static List<Object> tried(Step step, JsonPathScope scope, boolean unwrap) {
    try {
      return unwrap ? unwrapped(step, scope) : items(step, scope);
    } catch (Failed e) {
      return null;
    }
  }

  static Test exists(Step path) {
    return scope -> {
      List<Object> items = tried(path, scope, false);
      return items == null ? null : (Boolean) !items.isEmpty();
    };
  }

  static Test not(Test test) {
    return scope -> {
      Boolean result = test.run(scope);
      return result == null ? null : (Boolean) !result;
    };
  }

  static Test and(Test left, Test right) {
    return scope -> {
      Boolean first = left.run(scope);
      if (Boolean.FALSE.equals(first)) {
        return false;
      }
      Boolean second = right.run(scope);
      return Boolean.FALSE.equals(second) ? (Boolean) false : first == null || second == null ? null : (Boolean) true;
    };
  }

  static Test or(Test left, Test right) {
    return scope -> {
      Boolean first = left.run(scope);
      if (Boolean.TRUE.equals(first)) {
        return true;
      }
      Boolean second = right.run(scope);
      return Boolean.TRUE.equals(second) ? (Boolean) true : first == null || second == null ? null : (Boolean) false;
    };
  }

  static Test startsWith(Step base, String prefix) {
    return scope -> {
      List<Object> items = tried(base, scope, true);
      if (items == null) {
        return null;
      }
      boolean found = false;
      for (Object item : items) {
        String text = item instanceof String value ? value : item instanceof JsonNode node ? node.textValue() : null;
        if (text == null) {
          return null;
        }
        found |= text.startsWith(prefix);
        if (found && scope.lax()) {
          return true;
        }
      }
      return found;
    };
  }

  static Test comparison(String operator, Step left, Step right) {
    return scope -> {
      List<Object> first = tried(left, scope, true);
      List<Object> second = first == null ? null : tried(right, scope, true);
      return second == null ? null : compared(operator, first, second, scope);
    };
  }

  private static Boolean compared(String operator, List<Object> left, List<Object> right, JsonPathScope scope) {
    if (left.isEmpty() || right.isEmpty()) {
      return false;
    }
    boolean leftNull = left.stream().anyMatch(JsonPathSteps::isNull);
    boolean rightNull = right.stream().anyMatch(JsonPathSteps::isNull);
    boolean leftNested = left.stream().anyMatch(JsonPathSteps::isNested);
    boolean rightNested = right.stream().anyMatch(JsonPathSteps::isNested);
    boolean leftScalar = left.stream().anyMatch(JsonPathSteps::isScalar);
    boolean rightScalar = right.stream().anyMatch(JsonPathSteps::isScalar);
    if ((leftNested && (rightNested || rightScalar)) || (leftScalar && rightNested)) {
      return null;
    }
    boolean equal = operator.equals("==");
    boolean unequal = operator.equals("<>") || operator.equals("!=");
    boolean found =
        (equal && leftNull && rightNull)
            || (unequal && ((leftNull && (rightScalar || rightNested)) || (rightNull && (leftScalar || leftNested))));
    if ((found && scope.lax()) || !leftScalar || !rightScalar) {
      return found;
    }
    List<Object> values;
    List<Object> others;
    try {
      values = left.stream().filter(JsonPathSteps::isScalar).map(JsonPathSteps::scalar).toList();
      others = right.stream().filter(JsonPathSteps::isScalar).map(JsonPathSteps::scalar).toList();
    } catch (Failed e) {
      return null;
    }
    for (Object value : values) {
      scope.count(others.size());
      for (Object other : others) {
        Boolean result = compared(operator, value, other);
        if (result == null) {
          return null;
        }
        found |= result;
        if (found && scope.lax()) {
          return true;
        }
      }
    }
    return found;
  }

  private static boolean isNull(Object item) {
    return item instanceof JsonNode node && node.isNull();
  }

  private static boolean isNested(Object item) {
    return item instanceof JsonNode node && node.isContainerNode();
  }

  private static boolean isScalar(Object item) {
    return !isNull(item) && !isNested(item);
  }

  private static Boolean compared(String operator, Object left, Object right) {
    int order;
    if (left instanceof Boolean first && right instanceof Boolean second) {
      order = Boolean.compare(first, second);
    } else if (left instanceof String first && right instanceof String second) {
      order = UTF8String.fromString(first).compareTo(UTF8String.fromString(second));
    } else if (left instanceof Number first && right instanceof Number second) {
      boolean exact = !(left instanceof Double || right instanceof Double);
      double a = first.doubleValue() + 0.0; // without the sign of zero
      double b = second.doubleValue() + 0.0;
      order = exact ? exact(left).compareTo(exact(right)) : Double.compare(a, b);
    } else {
      return null;
    }
    return switch (operator) {
      case "==" -> order == 0;
      case "<" -> order < 0;
      case "<=" -> order <= 0;
      case ">" -> order > 0;
      case ">=" -> order >= 0;
      default -> order != 0;
    };
  }
}
