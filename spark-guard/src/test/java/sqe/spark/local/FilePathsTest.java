package sqe.spark.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.hadoop.HadoopFileIO;
import org.apache.iceberg.inmemory.InMemoryFileIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths: the file that Hadoop opens, or none. */
class FilePathsTest {
  @ParameterizedTest
  @ValueSource(strings = {"/a/b.parquet", "/a b", "/a%20b", "/a#b", "/a+b;c,d&e", "/é😀", "/it's \"q\"", "/a\\b", "/p=1/x"})
  void aPathIsTakenAsItIs(String path) {
    assertEquals(path, FilePaths.local(path));
    assertEquals(path, FilePaths.local("file:" + path));
    assertEquals(path, FilePaths.local("file://" + path));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a*", "/a?b", "/a[1]", "/{a,b}", "/a\nb", "/a\0b"})
  void patternsAndControlCharactersAreNotRendered(String path) {
    assertThrows(NotRendered.class, () -> FilePaths.local(path));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a//b", "/a/../b", "/a/./b", "/a/", "file:////a"})
  void aSecondSpellingIsNotRendered(String path) {
    assertThrows(NotRendered.class, () -> FilePaths.local(path));
  }

  @ParameterizedTest
  @ValueSource(strings = {"s3://b/a", "a/b", "file:a", "file://host/a", "hdfs:/a", ""})
  void otherStoresAreNotRendered(String location) {
    assertThrows(NotRendered.class, () -> FilePaths.local(location));
  }

  @Test
  void onlyFilesThatSparkWouldOpenHereAreRendered() {
    Configuration settings = new Configuration(false);
    assertEquals("/a", FilePaths.local("/a", new HadoopFileIO(settings)));
    // With storage credentials of a catalog, Spark would not open a local file.
    assertThrows(NotRendered.class, () -> FilePaths.local("file:/a", new InMemoryFileIO()));
    settings.set("fs.defaultFS", "hdfs://host/");
    assertThrows(NotRendered.class, () -> FilePaths.local("/a", new HadoopFileIO(settings)));
    assertEquals("/a", FilePaths.local("file:/a", new HadoopFileIO(settings)));
  }
}
