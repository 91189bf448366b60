package sqe.spark.guard;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.classic.SparkSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import sqe.spark.statements.StatementTags;
import sqe.spark.identity.Control;
import sqe.spark.identity.LoginEndedException;
import sqe.spark.identity.Protocol.DecideRequest;
import sqe.spark.identity.Protocol.DecideResponse;
import sqe.spark.identity.ProviderSilentException;

/** Asks the gateway for decisions in one session. Nothing is kept here; whatever is no clear answer is a refusal. */
final class Decisions {
  private static final Logger LOG = LoggerFactory.getLogger(Decisions.class);
  private static final int MOST_AT_ONCE = 500; // names of a listing; a body has at most 1 MiB

  /** @param user the user of the session, as the gateway knows them */
  record Answer(String user, List<Decision> decisions) {}

  private Decisions() {}

  /** The query of the gateway's that runs in this thread, or null. */
  static String query(SparkSession session) {
    List<String> tags = StatementTags.of(session);
    return tags.isEmpty() ? null : tags.get(0);
  }

  /** One decision. Returns only if it is allowed. */
  static Decision allowed(SparkSession session, Question question) {
    Decision decision = ask(session, List.of(question)).decisions().get(0);
    if (!decision.allow()) {
      throw GuardRefusal.of(decision);
    }
    return decision;
  }

  /** One decision for each question, in their order. */
  static Answer ask(SparkSession session, List<Question> questions) {
    String user = null;
    List<Decision> decisions = new ArrayList<>();
    for (int from = 0; from < questions.size(); from += MOST_AT_ONCE) {
      List<Question> some = questions.subList(from, Math.min(questions.size(), from + MOST_AT_ONCE));
      JsonNode answer = post(session, some);
      try {
        user = read(answer, some, decisions);
      } catch (Decision.InvalidAnswer invalid) {
        LOG.error("the gateway's answer to a question of the guard is wrong: {}", invalid.getMessage());
        throw undecided(some, "The gateway's answer is not one.");
      }
    }
    return new Answer(user, decisions);
  }

  private static JsonNode post(SparkSession session, List<Question> questions) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put(DecideRequest.QUERY, query(session));
    body.put(DecideRequest.QUESTIONS, questions.stream().map(Question::fields).toList());
    try {
      return Control.decide(session, body, Guard.patience());
    } catch (LoginEndedException ended) {
      throw ended; // a refusal with words of its own
    } catch (ProviderSilentException silent) {
      throw undecided(questions, silent.getMessage());
    } catch (RuntimeException failure) {
      LOG.error("the gateway made no decision", failure);
      throw undecided(questions, "The gateway does not answer the engine.");
    }
  }

  private static String read(JsonNode answer, List<Question> questions, List<Decision> into) throws Decision.InvalidAnswer {
    JsonNode user = answer.path(DecideResponse.USER);
    JsonNode given = answer.path(DecideResponse.DECISIONS);
    if (answer.size() != DecideResponse.FIELDS.size() || !user.isTextual() || !given.isArray() || given.size() != questions.size()) {
      throw new Decision.InvalidAnswer("fields or their number");
    }
    for (int i = 0; i < questions.size(); i++) {
      Decision decision = Decision.read(given.get(i));
      known(decision, questions.get(i).resource());
      into.add(decision);
    }
    return user.asText();
  }

  /** A rule about a column that was not asked about would be lost. */
  private static void known(Decision decision, Question.Resource resource) throws Decision.InvalidAnswer {
    List<String> names = resource.columns().stream().map(Question.Column::name).toList();
    if (!names.containsAll(decision.masks().keySet()) || !names.containsAll(decision.restricted())) {
      throw new Decision.InvalidAnswer("a column that was not asked about");
    }
  }

  private static GuardRefusal undecided(List<Question> questions, String why) {
    return GuardRefusal.unavailable("There is no decision on access to " + questions.get(0).resource() + ". " + why);
  }
}
