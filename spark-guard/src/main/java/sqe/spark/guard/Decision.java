package sqe.spark.guard;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import sqe.spark.identity.Protocol.AllowedDecision;
import sqe.spark.identity.Protocol.RefusedDecision;

/**
 * The gateway's decision on one question. An answer that is not in exactly this form is no decision.
 *
 * @param filter SQL over stored values that rows have to satisfy, or null
 * @param masks SQL over stored values by column
 * @param restricted columns that are to be as if they did not exist
 * @param hides whether some of what is stored must not be seen
 * @param unsupported of a refusal: it is not the person, but a rule that this operation cannot keep
 * @param reason of a refusal, for the person
 */
record Decision(
    boolean allow,
    String filter,
    Map<String, String> masks,
    List<String> restricted,
    boolean hides,
    boolean unsupported,
    String reason) {
  /** Says what is wrong with an answer. */
  static final class InvalidAnswer extends Exception {
    InvalidAnswer(String what) {
      super(what, null, false, false);
    }
  }

  /** Returns only if it allows. */
  Decision orRefusal() {
    if (!allow) {
      throw GuardRefusal.of(this);
    }
    return this;
  }

  static Decision read(JsonNode answer) throws InvalidAnswer {
    JsonNode allow = answer.get(AllowedDecision.ALLOW);
    if (allow == null || !allow.isBoolean()) {
      throw new InvalidAnswer("no allow");
    }
    only(answer, allow.asBoolean() ? AllowedDecision.FIELDS : RefusedDecision.FIELDS);
    if (!allow.asBoolean()) {
      String refusal = text(answer, RefusedDecision.REFUSAL);
      if (!refusal.equals("denied") && !refusal.equals("unsupported")) {
        throw new InvalidAnswer(RefusedDecision.REFUSAL);
      }
      return new Decision(
          false, null, Map.of(), List.of(), false, refusal.equals("unsupported"), text(answer, RefusedDecision.REASON));
    }
    String filter = answer.path(AllowedDecision.FILTER).isNull() ? null : text(answer, AllowedDecision.FILTER);
    Map<String, String> masks = masks(answer.path(AllowedDecision.MASKS));
    List<String> restricted = restricted(answer.path(AllowedDecision.RESTRICTED));
    JsonNode hides = answer.path(AllowedDecision.PROTECTED);
    if (!hides.isBoolean() || !hides.asBoolean() && (filter != null || !masks.isEmpty() || !restricted.isEmpty())) {
      throw new InvalidAnswer(AllowedDecision.PROTECTED);
    }
    return new Decision(true, filter, masks, restricted, hides.asBoolean(), false, null);
  }

  /** A field that we do not know could be one that restricts. */
  private static void only(JsonNode answer, Set<String> fields) throws InvalidAnswer {
    if (answer.size() != fields.size()) {
      throw new InvalidAnswer("fields");
    }
    for (var field : answer.properties()) {
      if (!fields.contains(field.getKey())) {
        throw new InvalidAnswer("fields");
      }
    }
  }

  private static String text(JsonNode answer, String field) throws InvalidAnswer {
    JsonNode value = answer.path(field);
    if (!value.isTextual() || value.asText().isBlank()) {
      throw new InvalidAnswer(field);
    }
    return value.asText();
  }

  private static Map<String, String> masks(JsonNode given) throws InvalidAnswer {
    if (!given.isObject()) {
      throw new InvalidAnswer(AllowedDecision.MASKS);
    }
    Map<String, String> masks = new LinkedHashMap<>();
    for (var mask : given.properties()) {
      masks.put(mask.getKey(), text(given, mask.getKey()));
    }
    return Map.copyOf(masks);
  }

  private static List<String> restricted(JsonNode given) throws InvalidAnswer {
    if (!given.isArray()) {
      throw new InvalidAnswer(AllowedDecision.RESTRICTED);
    }
    List<String> names = new ArrayList<>();
    for (JsonNode name : given) {
      if (!name.isTextual()) {
        throw new InvalidAnswer(AllowedDecision.RESTRICTED);
      }
      names.add(name.asText());
    }
    return List.copyOf(names);
  }
}
