package sqe.spark.request;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.classic.SparkSession;
import sqe.spark.kinds.Procedures;

/**
 * The rows that a client uploads, in Parquet files that the gateway has written to a private directory of its own. No statement may read
 * files with the account of the server; these are named by the gateway.
 */
final class UploadedRows {
  private static final ObjectMapper JSON = new ObjectMapper();

  private UploadedRows() {}

  /** The rows of the files that {@code ["/a","/b"]} names. */
  static LogicalPlan asked(SparkSession session, String files) {
    String[] paths;
    try {
      paths = JSON.readValue(files, String[].class);
    } catch (JsonProcessingException error) {
      throw new IllegalArgumentException("The argument is no list of files.");
    }
    return Procedures.run(() -> session.read().parquet(paths).queryExecution().analyzed());
  }
}
