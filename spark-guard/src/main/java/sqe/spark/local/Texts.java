package sqe.spark.local;

import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Like;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.StringInstr;
import org.apache.spark.sql.catalyst.expressions.StringLocate;
import org.apache.spark.sql.catalyst.expressions.StringReplace;
import org.apache.spark.sql.catalyst.expressions.Substring;

/** Writes functions of text. Positions count from 1, in characters of Unicode. */
final class Texts {
  private Texts() {}

  /** From a position, which counts from the end if it is negative, and may be before the beginning. */
  static String substring(Substring substring, Expressions expressions) {
    String text = expressions.text(substring.str());
    Integer position = constant(substring.pos());
    Integer length = constant(substring.len());
    if (position != null && length != null && position >= 0) {
      return "substring(" + text + ", " + Math.max(position, 1) + ", " + Math.max(length, 0) + ")";
    }
    String at = "CAST(" + expressions.render(substring.pos()) + " AS BIGINT)";
    String most = "CAST(" + expressions.render(substring.len()) + " AS BIGINT)";
    String start = "CASE WHEN " + at + " > 0 THEN " + at + " - 1 WHEN " + at + " < 0 THEN length(" + text + ") + " + at
        + " ELSE 0 END";
    return "CASE WHEN " + at + " IS NOT NULL AND " + most + " IS NOT NULL THEN substring(" + text + ", greatest(" + start
        + ", 0) + 1, greatest(least(" + start + ", 0) + " + most + ", 0)) END";
  }

  private static Integer constant(Expression expression) {
    return expression instanceof Literal literal && literal.value() instanceof Integer number ? number : null;
  }

  /** Of a constant pattern. An escape is before a wildcard or before another one. */
  static String like(Like like, Expressions expressions) {
    String pattern = Expressions.constantText(like.right());
    char escape = like.escapeChar();
    boolean escapes = false;
    for (int at = 0; at < pattern.length(); at++) {
      if (pattern.charAt(at) == escape) {
        escapes = true;
        at++;
        if (at == pattern.length() || pattern.charAt(at) != escape && "%_".indexOf(pattern.charAt(at)) < 0) {
          throw new NotRendered("LIKE with an escape before another character");
        }
      }
    }
    if (escapes && (escape >= 128 || escape == '%' || escape == '_')) {
      throw new NotRendered("LIKE with another escape");
    }
    return "(" + expressions.text(like.left()) + " LIKE " + Literals.quoted(pattern)
        + (escapes ? " ESCAPE " + Literals.quoted(String.valueOf(escape)) : "") + ")";
  }

  static String instr(StringInstr instr, Expressions expressions) {
    return "CAST(instr(" + expressions.text(instr.str()) + ", " + expressions.text(instr.substr()) + ") AS INTEGER)";
  }

  /** From the beginning only. */
  static String locate(StringLocate locate, Expressions expressions) {
    if (!Integer.valueOf(1).equals(constant(locate.start()))) {
      throw new NotRendered("locate from a position");
    }
    return "CAST(instr(" + expressions.text(locate.str()) + ", " + expressions.text(locate.substr()) + ") AS INTEGER)";
  }

  static String replace(StringReplace replace, Expressions expressions) {
    return "replace(" + expressions.text(replace.srcExpr()) + ", " + expressions.text(replace.searchExpr()) + ", "
        + expressions.text(replace.replaceExpr()) + ")";
  }
}
