package sqe.spark.local;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.iceberg.hadoop.HadoopConfigurable;
import org.apache.iceberg.hadoop.HadoopFileIO;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.ResolvingFileIO;

/** Paths of data files as DuckDB opens them. */
final class FilePaths {
  private static final String SCHEME = "file:";
  private static final String DEFAULT = "fs.defaultFS";
  // DuckDB takes a path with one of these for a pattern.
  private static final String PATTERN = "*?[]{}";

  private FilePaths() {}

  /** The path of a file that Spark would open with Hadoop's local files; other stores are not rendered. */
  static String local(String location, FileIO io) {
    boolean hadoop = io instanceof HadoopFileIO || io instanceof ResolvingFileIO;
    if (!hadoop || !location.startsWith(SCHEME) && !isLocal(io)) {
      throw new NotRendered("files in another store");
    }
    return local(location);
  }

  private static boolean isLocal(FileIO io) {
    Configuration settings = ((HadoopConfigurable) io).getConf();
    return settings != null && settings.get(DEFAULT, "file:///").startsWith(SCHEME);
  }

  /** The part of a location that names a file here. Hadoop takes it as it is: {@code %20} is no blank. */
  static String local(String location) {
    String path = location;
    if (location.startsWith(SCHEME)) {
      path = location.substring(SCHEME.length());
      if (path.startsWith("//")) {
        path = path.substring(2); // a name of a machine would follow, and then the path not begin with a slash
      }
    }
    if (!path.startsWith("/")) {
      throw new NotRendered("files in another store");
    }
    if (path.chars().anyMatch(each -> PATTERN.indexOf(each) >= 0 || each < ' ')) {
      throw new NotRendered("path with special characters");
    }
    if (!new Path(location).toUri().getPath().equals(path)) {
      throw new NotRendered("path that is not in its shortest form");
    }
    return path;
  }
}
