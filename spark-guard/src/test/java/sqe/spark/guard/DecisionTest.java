package sqe.spark.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The gateway's decisions: what is not in exactly the agreed form is none. */
class DecisionTest {
  private static Decision read(String json) throws Exception {
    return Decision.read(new ObjectMapper().readTree(json.replace('\'', '"')));
  }

  @Test
  void aDecisionThatAllowsEverything() throws Exception {
    Decision decision = read("{'allow': true, 'filter': null, 'masks': {}, 'restricted': [], 'protected': false}");
    assertTrue(decision.allow());
    assertNull(decision.filter());
    assertFalse(decision.hides());
    assertSame(decision, decision.orRefusal());
  }

  @Test
  void aDecisionWithAFilterMasksAndRestrictedColumns() throws Exception {
    Decision decision =
        read("{'allow': true, 'filter': 'a > 1', 'masks': {'b': 'NULL'}, 'restricted': ['c', 'd'], 'protected': true}");
    assertEquals("a > 1", decision.filter());
    assertEquals(Map.of("b", "NULL"), decision.masks());
    assertEquals(List.of("c", "d"), decision.restricted());
    assertTrue(decision.hides());
  }

  @ParameterizedTest
  @ValueSource(strings = {"denied", "unsupported"})
  void aRefusal(String refusal) throws Exception {
    Decision decision = read("{'allow': false, 'refusal': '" + refusal + "', 'reason': 'Because.'}");
    assertFalse(decision.allow());
    assertEquals(refusal.equals("unsupported"), decision.unsupported());
    GuardRefusal thrown = assertThrows(GuardRefusal.class, decision::orRefusal);
    assertEquals("Because.", thrown.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "null",
        "'allow'",
        "{'allow': 'true'}",
        "{'allow': 1}",
        "{'allow': true}",
        "{'allow': true, 'filter': null, 'masks': {}, 'restricted': []}",
        "{'allow': true, 'filter': null, 'masks': {}, 'restricted': [], 'protected': false, 'more': 1}",
        "{'allow': true, 'filter': null, 'masks': {}, 'restrict': [], 'protected': false}",
        "{'allow': true, 'filter': '', 'masks': {}, 'restricted': [], 'protected': true}",
        "{'allow': true, 'filter': ' ', 'masks': {}, 'restricted': [], 'protected': true}",
        "{'allow': true, 'filter': true, 'masks': {}, 'restricted': [], 'protected': true}",
        "{'allow': true, 'filter': null, 'masks': [], 'restricted': [], 'protected': true}",
        "{'allow': true, 'filter': null, 'masks': {'a': null}, 'restricted': [], 'protected': true}",
        "{'allow': true, 'filter': null, 'masks': {'a': ''}, 'restricted': [], 'protected': true}",
        "{'allow': true, 'filter': null, 'masks': {}, 'restricted': {}, 'protected': true}",
        "{'allow': true, 'filter': null, 'masks': {}, 'restricted': [1], 'protected': true}",
        "{'allow': true, 'filter': null, 'masks': {}, 'restricted': [], 'protected': null}",
        "{'allow': true, 'filter': 'a', 'masks': {}, 'restricted': [], 'protected': false}",
        "{'allow': true, 'filter': null, 'masks': {'a': 'b'}, 'restricted': [], 'protected': false}",
        "{'allow': true, 'filter': null, 'masks': {}, 'restricted': ['a'], 'protected': false}",
        "{'allow': false}",
        "{'allow': false, 'refusal': 'denied'}",
        "{'allow': false, 'refusal': 'denied', 'reason': ''}",
        "{'allow': false, 'refusal': 'other', 'reason': 'x'}",
        "{'allow': false, 'refusal': 'denied', 'reason': 'x', 'filter': null}",
      })
  void anythingElseIsNoDecision(String json) {
    assertThrows(Decision.InvalidAnswer.class, () -> read(json));
  }

  @Test
  void aResourceIsShownByItsName() {
    Question.Resource table =
        new Question.Resource("table", "c", List.of("a", "b"), "t", List.of(), List.of(), null, null, "files", null);
    assertEquals("c.a.b.t.files", table.toString());
    assertEquals("c.a", Question.Resource.named("schema", "c", new String[] {"a"}, null).toString());
  }
}
