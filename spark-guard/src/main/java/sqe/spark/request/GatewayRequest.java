package sqe.spark.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.apache.spark.sql.classic.SparkSession;
import org.sparkproject.connect.protobuf.Any;
import sqe.spark.kinds.NotAllowed;

/**
 * A request of the gateway to a session's engine, besides statements: a message in the place that Spark Connect has for extensions.
 *
 * <p>No SQL can write one: it is in no registry of functions, and a user sends text only. It carries a proof under the engine's secret all
 * the same, so that a plan that another session sent is refused.
 *
 * @param name what is asked for
 * @param argument what it is asked about
 */
record GatewayRequest(String name, String argument) {
  private static final String TYPE = "sqe.spark/request";
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The request in an extension; null if the extension is not ours. */
  static GatewayRequest of(byte[] extension, SparkSession session) {
    JsonNode said;
    try {
      Any message = Any.parseFrom(extension);
      if (!message.getTypeUrl().equals(TYPE)) {
        return null;
      }
      said = JSON.readTree(message.getValue().toByteArray());
    } catch (IOException odd) {
      throw NotAllowed.request();
    }
    JsonNode name = said.path("request");
    JsonNode argument = said.path("argument");
    JsonNode proof = said.path("proof");
    if (!name.isTextual()
        || !argument.isTextual()
        || !proof.isTextual()
        || !RequestKey.proves(proof.asText(), session.sessionUUID(), name.asText(), argument.asText())) {
      throw NotAllowed.request();
    }
    return new GatewayRequest(name.asText(), argument.asText());
  }
}
