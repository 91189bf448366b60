package sqe.spark.catalog;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.hadoop.HadoopFileIO;

/**
 * Reads and writes the files of a warehouse with those of Hadoop's settings that concern local files.
 *
 * <p>Iceberg serialises the settings with the table for every scan. All of Hadoop's are a tenth of the work of a small query.
 */
public final class WarehouseFiles extends HadoopFileIO {
  private static final List<String> KEPT =
      List.of("file.", "fs.defaultFS", "fs.file.", "fs.local.", "fs.permissions.", "hadoop.security.", "io.");

  @Override
  public void setConf(Configuration all) {
    Configuration kept = new Configuration(false);
    for (Map.Entry<String, String> each : all) {
      if (KEPT.stream().anyMatch(each.getKey()::startsWith)) {
        kept.set(each.getKey(), each.getValue());
      }
    }
    super.setConf(kept);
  }
}
