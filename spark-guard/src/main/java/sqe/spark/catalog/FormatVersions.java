package sqe.spark.catalog;

import org.apache.iceberg.TableProperties;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.spark.source.SparkTable;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.TableInfo;
import sqe.spark.statements.NotSupported;

/** The format version that a statement names. A REST catalog may make a table of another one, and say nothing. */
final class FormatVersions {
  private FormatVersions() {}

  static boolean isGiven(TableInfo info) {
    return info.properties().containsKey(TableProperties.FORMAT_VERSION);
  }

  /** Refuses what is staged, if its version is not the one that was asked for. */
  static void check(TableInfo info, StagedTable staged) {
    if (isGiven(info)) {
      String asked = info.properties().get(TableProperties.FORMAT_VERSION);
      String made = Integer.toString(TableUtil.formatVersion(((SparkTable) staged).table()));
      if (!made.equals(asked)) {
        throw new NotSupported(
            "The catalog makes no table of format version " + asked + " here, but one of version " + made + ".");
      }
    }
  }
}
