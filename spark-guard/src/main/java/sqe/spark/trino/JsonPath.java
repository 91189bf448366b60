package sqe.spark.trino;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A path of SQL/JSON, such as {@code lax $.a[*] ? (@.b > 1)}, read into functions.
 *
 * <p>An item is a {@link JsonNode}, or a value that the path makes: Boolean, String, Integer, Long, Double or BigDecimal.
 */
final class JsonPath {
  private static final int MAX_LENGTH = 10_000;
  private static final int MAX_DEPTH = 200;

  /** A parenthesis can begin a predicate or a path, which is tried in turn. */
  private static final int MAX_TRIES = 20_000;

  private static final Pattern TOKEN =
      Pattern.compile(
          "[ \\r\\n\\t]+"
              + "|(?<number>(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?)"
              + "|(?<string>\"(?:[^\"]|\"\")*+\")"
              + "|(?<variable>\\$[A-Za-z_][A-Za-z0-9_]*)"
              + "|(?<name>[A-Za-z_][A-Za-z0-9_]*)"
              + "|(?<symbol>\\.\\.|==|<>|!=|<=|>=|&&|\\|\\||[$@.\\[\\](),*?+\\-/%<>!])");
  private static final Set<String> COMPARISONS = Set.of("==", "<>", "!=", "<", ">", "<=", ">=");

  /** Makes a sequence of items. */
  @FunctionalInterface
  interface Step {
    List<Object> run(JsonPathScope scope);
  }

  /** A condition; null where it is unknown. */
  @FunctionalInterface
  interface Test {
    Boolean run(JsonPathScope scope);
  }

  private record Token(char kind, String text) {}

  private final String text;
  private final List<Token> tokens = new ArrayList<>();
  private int at;
  private int depth;
  private int tries;
  private boolean lax;
  private Step whole;
  private final Set<String> variables = new LinkedHashSet<>();

  private JsonPath(String text) {
    this.text = text;
  }

  static JsonPath of(String text) {
    if (text.length() > MAX_LENGTH) {
      throw TrinoFailure.unsupportedValue("A path of more than " + MAX_LENGTH + " characters is not supported.");
    }
    JsonPath path = new JsonPath(text);
    path.read();
    return path;
  }

  /** The items that the path finds. Raises {@link JsonPathScope.Failed}. */
  List<Object> find(JsonNode input, JsonNode variables) {
    return whole.run(JsonPathScope.of(lax, input, variables));
  }

  /** The names of the values that the clause PASSING has to give. */
  Set<String> variables() {
    return variables;
  }

  private TrinoFailure invalid() {
    return TrinoFailure.argument("Invalid JSON path: " + text);
  }

  private void read() {
    Matcher matcher = TOKEN.matcher(text);
    int end = 0;
    while (end < text.length()) {
      if (!matcher.find(end) || matcher.start() != end) {
        throw invalid();
      }
      end = matcher.end();
      for (String kind : List.of("number", "string", "variable", "name", "symbol")) {
        if (matcher.group(kind) != null) {
          tokens.add(new Token(kind.charAt(1), matcher.group(kind)));
        }
      }
    }
    lax = next("lax");
    if (!lax && !next("strict")) {
      throw invalid();
    }
    whole = expression();
    if (at < tokens.size()) {
      throw invalid();
    }
  }

  private String peek() {
    return at < tokens.size() && tokens.get(at).kind() != 't' ? tokens.get(at).text() : "";
  }

  private boolean next(String wanted) {
    if (peek().equals(wanted)) {
      at++;
      return true;
    }
    return false;
  }

  private void need(String wanted) {
    if (!next(wanted)) {
      throw invalid();
    }
  }

  private char kind() {
    return at < tokens.size() ? tokens.get(at).kind() : 0;
  }

  private void deeper() {
    if (++depth > MAX_DEPTH || ++tries > MAX_TRIES) {
      throw TrinoFailure.unsupportedValue("A path with so many levels is not supported.");
    }
  }

  private Step expression() {
    deeper();
    Step left = product();
    while (peek().equals("+") || peek().equals("-")) {
      left = JsonPathSteps.arithmetic(tokens.get(at++).text(), left, product());
    }
    depth--;
    return left;
  }

  private Step product() {
    Step left = unary();
    while (peek().equals("*") || peek().equals("/") || peek().equals("%")) {
      left = JsonPathSteps.arithmetic(tokens.get(at++).text(), left, unary());
    }
    return left;
  }

  private Step unary() {
    deeper();
    Step made;
    if (next("-")) {
      made = JsonPathSteps.signed(true, unary());
    } else if (next("+")) {
      made = JsonPathSteps.signed(false, unary());
    } else {
      made = accessors(primary());
    }
    depth--;
    return made;
  }

  private Step primary() {
    if (next("(")) {
      Step inner = expression();
      need(")");
      return inner;
    }
    if (at == tokens.size()) {
      throw invalid();
    }
    Token token = tokens.get(at++);
    return switch (token.kind()) {
      case 'u' -> JsonPathSteps.constant(JsonPathSteps.number(token.text()));
      case 't' -> JsonPathSteps.constant(string(token));
      case 'a' -> variableOrWord(token.text());
      default ->
          switch (token.text()) {
            case "$" -> scope -> List.of(scope.input());
            case "@" -> JsonPathScope::currentItem;
            default -> throw invalid();
          };
    };
  }

  private Step variableOrWord(String word) {
    return switch (word) {
      case "true" -> JsonPathSteps.constant(true);
      case "false" -> JsonPathSteps.constant(false);
      case "null" -> JsonPathSteps.constant(com.fasterxml.jackson.databind.node.NullNode.getInstance());
      case "last" -> JsonPathScope::lastIndex;
      default -> {
        if (word.startsWith("$")) {
          String name = word.substring(1);
          variables.add(name);
          yield scope -> scope.variable(name);
        }
        throw invalid();
      }
    };
  }

  private static String string(Token token) {
    return token.text().substring(1, token.text().length() - 1).replace("\"\"", "\"");
  }

  private Step accessors(Step base) {
    Step made = base;
    while (true) {
      if (next(".")) {
        made = next("*") ? JsonPathSteps.members(made, null) : member(made);
      } else if (next("..")) {
        made = JsonPathSteps.descendants(made, name());
      } else if (next("[")) {
        made = subscripts(made);
      } else if (next("?")) {
        need("(");
        Test test = predicate();
        need(")");
        made = JsonPathSteps.filtered(made, test);
      } else {
        return made;
      }
    }
  }

  private String name() {
    char kind = kind();
    if (kind == 't') {
      return string(tokens.get(at++));
    }
    if (kind != 'a' || tokens.get(at).text().startsWith("$")) {
      throw invalid();
    }
    return tokens.get(at++).text();
  }

  private Step member(Step base) {
    boolean quoted = kind() == 't';
    String name = name();
    if (quoted || !next("(")) {
      return JsonPathSteps.members(base, name);
    }
    if (name.equals("datetime")) {
      throw TrinoFailure.unsupportedValue("datetime method in JSON path is not yet supported");
    }
    need(")");
    Step method = JsonPathSteps.method(name, base);
    if (method == null) {
      throw invalid();
    }
    return method;
  }

  private Step subscripts(Step base) {
    if (next("*")) {
      need("]");
      return JsonPathSteps.elements(base, List.of());
    }
    List<JsonPathSteps.Subscript> all = new ArrayList<>();
    do {
      Step from = expression();
      all.add(new JsonPathSteps.Subscript(from, next("to") ? expression() : null));
    } while (next(","));
    need("]");
    return JsonPathSteps.elements(base, all);
  }

  private Test predicate() {
    deeper();
    Test left = conjunction();
    while (next("||")) {
      left = JsonPathSteps.or(left, conjunction());
    }
    depth--;
    return left;
  }

  private Test conjunction() {
    Test left = negation();
    while (next("&&")) {
      left = JsonPathSteps.and(left, negation());
    }
    return left;
  }

  private Test negation() {
    if (!next("!")) {
      return simple();
    }
    if (peek().equals("exists")) {
      return JsonPathSteps.not(exists());
    }
    need("(");
    Test inner = predicate();
    need(")");
    return JsonPathSteps.not(inner);
  }

  private Test exists() {
    need("exists");
    need("(");
    Step path = expression();
    need(")");
    return JsonPathSteps.exists(path);
  }

  private Test simple() {
    if (peek().equals("exists")) {
      return exists();
    }
    if (peek().equals("(")) {
      int start = at;
      int level = depth;
      try {
        return parenthesized();
      } catch (TrinoFailure.Argument e) { // it is a path in parentheses
        at = start;
        depth = level;
      }
    }
    Step left = expression();
    String operator = peek();
    if (COMPARISONS.contains(operator)) {
      at++;
      return JsonPathSteps.comparison(operator, left, expression());
    }
    if (next("like_regex")) {
      throw TrinoFailure.unsupportedValue("like_regex predicate in JSON path is not yet supported");
    }
    need("starts");
    need("with");
    if (kind() != 't') {
      throw invalid();
    }
    return JsonPathSteps.startsWith(left, string(tokens.get(at++)));
  }

  private Test parenthesized() {
    need("(");
    Test inner = predicate();
    need(")");
    if (next("is")) {
      need("unknown");
      return scope -> inner.run(scope) == null;
    }
    String after = peek();
    if (!after.equals(")") && !after.equals("&&") && !after.equals("||")) {
      throw invalid();
    }
    return inner;
  }
}
