package sqe.spark.trino;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JsonPathTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static JsonNode json(String text) throws Exception {
    return MAPPER.readTree(text);
  }

  @Test
  void theNamesOfVariables() {
    assertEquals(Set.of("i", "m"), JsonPath.of("lax $.a[$i] ? (@ > $m)").variables());
    assertTrue(JsonPath.of("lax $.a[0]").variables().isEmpty());
  }

  @Test
  void theValueOfAVariable() throws Exception {
    JsonPath path = JsonPath.of("lax $[$i]");
    List<Object> found = path.find(json("[10, 20]"), json("{\"i\": 1}"));
    assertEquals("20", JsonPathSteps.node(found.get(0)).asText());
  }

  @Test
  void aVariableThatIsNullIsNoItem() throws Exception {
    JsonPath path = JsonPath.of("lax $x");
    JsonNode input = json("{}");
    assertEquals(Set.of("x"), path.variables());
    assertEquals(List.of(), path.find(input, input));
  }
}
