package sqe.spark.bounds;

import java.util.Locale;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.Token;
import org.apache.spark.sql.catalyst.parser.SqlBaseLexer;
import org.apache.spark.sql.catalyst.parser.UpperCaseCharStream;

/** Counts what is in CUBE (...) before Spark parses it: inside of GROUPING SETS the parser itself writes out all its sets. */
public final class CubeText {
  private CubeText() {}

  public static void check(String sql) {
    if (!sql.toUpperCase(Locale.ROOT).contains("CUBE")) {
      return;
    }
    SqlBaseLexer lexer = new SqlBaseLexer(new UpperCaseCharStream(CharStreams.fromString(sql)));
    lexer.removeErrorListeners();
    boolean cube = false;
    int depth = 0;
    int opened = -1;
    int parts = 0;
    for (Token token = lexer.nextToken(); token.getType() != Token.EOF; token = lexer.nextToken()) {
      if (token.getChannel() != Token.DEFAULT_CHANNEL) {
        continue;
      }
      if (token.getType() == SqlBaseLexer.LEFT_PAREN) {
        depth++;
        if (cube && opened < 0) {
          opened = depth;
          parts = 1;
        }
      } else if (token.getType() == SqlBaseLexer.RIGHT_PAREN) {
        if (depth-- == opened) {
          opened = -1;
          PlanBounds.checkGroupingSets(Math.pow(2, parts));
        }
      } else if (token.getType() == SqlBaseLexer.COMMA && depth == opened) {
        parts++;
      }
      cube = token.getType() == SqlBaseLexer.CUBE;
    }
  }
}
