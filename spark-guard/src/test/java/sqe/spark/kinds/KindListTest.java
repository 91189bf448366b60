package sqe.spark.kinds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.CallMethodViaReflection;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import scala.Option;
import sqe.spark.Plans;

/** The lists of kinds: what is not on them is refused, and a file that is not whole makes no engine. */
class KindListTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"plans.txt", "expressions.txt", "functions.txt", "table_functions.txt", "procedures.txt", "settings.txt"})
  void everyListCanBeReadAndRefusesWhatItDoesNotName(String file) {
    Verdict verdict = new KindList(file).of("no.such.Kind");
    assertSame(Verdict.UNLISTED, verdict);
    assertTrue(verdict.refuses());
    assertNull(verdict.operation());
  }

  @Test
  void aListThatIsMissingMakesNoEngine() {
    assertThrows(IllegalStateException.class, () -> new KindList("nothing.txt"));
  }

  @ParameterizedTest
  @CsvSource({
    "plans.txt, org.apache.spark.sql.catalyst.plans.logical.Filter, ALLOW",
    "plans.txt, org.apache.spark.sql.catalyst.plans.logical.LocalRelation, ALLOW",
    "plans.txt, Filter, REFUSE",
    "plans.txt, org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation, RELATION",
    "functions.txt, abs, ALLOW",
    "functions.txt, ABS, REFUSE",
    "functions.txt, java_method, REFUSE",
    "functions.txt, reflect, REFUSE",
    "settings.txt, spark.sql.session.timeZone, VALUE",
    "settings.txt, spark.sql.warehouse.dir, REFUSE",
  })
  void aNameHasTheVerdictOfItsLineAndIsComparedAsItIs(String file, String name, Verdict.Word word) {
    assertEquals(word, new KindList(file).of(name).word());
  }

  @Test
  void onlyWhatIsDecidedHasAnOperation() {
    assertEquals("read", new Verdict(Verdict.Word.DECIDE, "read", "").operation());
    assertNull(new Verdict(Verdict.Word.REFUSE, "code", "").operation());
    assertFalse(new Verdict(Verdict.Word.ALLOW, "", "").refuses());
  }

  @ParameterizedTest
  @ValueSource(strings = {"unlisted", "code", "files", "gateway"})
  void aReasonIsASentence(String key) {
    assertTrue(KindList.reason(key).endsWith("."));
  }

  @Test
  void aReasonThatIsNotThereIsAnError() {
    assertThrows(NullPointerException.class, () -> KindList.reason("no such reason"));
  }

  @Test
  void kindsOfPlansAndExpressionsAreKnownByTheirClass() {
    LocalRelation rows = new LocalRelation(Plans.seq(List.of()), Plans.seq(List.of()), false, Option.empty());
    assertFalse(Kinds.of(rows).refuses());
    Expression text = new Literal(null, DataTypes.StringType);
    assertFalse(Kinds.of(text).refuses());
    assertTrue(Kinds.of(new CallMethodViaReflection(Plans.seq(List.of(text)), true)).refuses());
  }

  @Test
  void aRefusalHasAConditionOfItsOwnAndNoStackTrace() {
    NotAllowed refusal = NotAllowed.request();
    assertEquals("SQE_NOT_ALLOWED", refusal.getCondition());
    assertEquals("42501", refusal.getSqlState());
    assertEquals(0, refusal.getStackTrace().length);
    assertEquals(refusal.getMessage(), refusal.getDefaultMessageTemplate());
    assertTrue(refusal.getMessage().startsWith("A request in the place of the gateway is not allowed on this server. "));
  }
}
