package sqe.spark.catalog;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.UUID;
import org.apache.spark.sql.connector.catalog.Identifier;

/**
 * Chooses where the files of new tables and views of a warehouse lie: below its directory, each in a directory that nothing else
 * has or ever had.
 *
 * <p>Iceberg would make the place of the name. After a rename the next table of the old name would be given the same directory, and
 * cleaning one of the two would remove the files of the other.
 *
 * @param root a directory, as a path or a URI
 */
record Warehouse(String root) {
  private static final int LONGEST = 64; // of a name in a path; the rest tells directories apart

  /** A place that nothing has. */
  String place(Identifier ident) {
    StringBuilder place = new StringBuilder(root.replaceAll("/+$", ""));
    for (String part : ident.namespace()) {
      place.append('/').append(encoded(part));
    }
    String made = place(place.toString(), ident.name());
    if (!isBelow(made)) {
      throw new IllegalStateException("The place of a new table is not below the warehouse.");
    }
    return made;
  }

  /** A place in a directory that nothing has. */
  static String place(String directory, String name) {
    return directory.replaceAll("/+$", "") + '/' + encoded(name) + '-' + UUID.randomUUID();
  }

  /** For people who look at directories: what a path could take for something else is left out. */
  private static String encoded(String part) {
    String plain = part.replaceAll("[^A-Za-z0-9_-]", "_");
    return plain.length() > LONGEST ? plain.substring(0, LONGEST) : plain;
  }

  /** Whether that is so with all links resolved. */
  private boolean isBelow(String place) {
    Path top = path(root);
    if (top == null) {
      return place.startsWith(root); // no file system of this machine, and so no links
    }
    Path there = path(place);
    while (!Files.exists(there, LinkOption.NOFOLLOW_LINKS)) {
      there = there.getParent();
      if (there.equals(top.getParent())) {
        return true; // the warehouse has no files yet
      }
    }
    try {
      return there.toRealPath().startsWith(top.toRealPath());
    } catch (IOException broken) {
      throw new UncheckedIOException("The warehouse cannot be read.", broken);
    }
  }

  private static Path path(String place) {
    if (place.startsWith("file:")) {
      return Path.of(URI.create(place).getPath());
    }
    return place.startsWith("/") ? Path.of(place) : null;
  }
}
