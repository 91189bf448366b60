package sqe.spark.local;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.data.BaseDeleteLoader;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.io.FileIO;

/**
 * Reads which rows of data files are deleted, with Iceberg's own code: files of positions, and deletion vectors.
 *
 * <p>A statement reads a bounded number of positions. Deletes by equality stay on Spark.
 */
final class DeletedRows {
  private static final long MOST_POSITIONS = 100_000;

  private final Set<String> counted = new HashSet<>();
  private long positions;
  private long bytes;

  /** The size of all files that were read. */
  long bytes() {
    return bytes;
  }

  /** A reader of one table's delete files. */
  Reader reader(FileIO io) {
    return new Reader(io);
  }

  private void count(DeleteFile file) {
    if (file.content() != FileContent.POSITION_DELETES) {
      throw new NotRendered("rows deleted by equality");
    }
    if (file.keyMetadata() != null) {
      throw new NotRendered("encrypted files");
    }
    if (counted.add(file.location() + " " + file.contentOffset())) {
      positions += file.recordCount();
      bytes += file.contentSizeInBytes() == null ? file.fileSizeInBytes() : file.contentSizeInBytes();
    }
    if (positions > MOST_POSITIONS) {
      throw new NotRendered("more than " + MOST_POSITIONS + " deleted rows");
    }
  }

  final class Reader {
    private final Positions positions;

    private Reader(FileIO io) {
      positions = new Positions(io);
    }

    /** The deleted rows of a task's file: first and last+1 of each run of neighbours, in order. */
    List<long[]> of(FileScanTask task) {
      if (task.deletes().isEmpty()) {
        return List.of();
      }
      task.deletes().forEach(DeletedRows.this::count);
      List<long[]> runs = new ArrayList<>();
      PositionDeleteIndex deleted = positions.loadPositionDeletes(task.deletes(), task.file().location());
      deleted.forEach(position -> add(runs, position));
      return runs;
    }
  }

  /** Adds a position, which is not before those that are there. */
  static void add(List<long[]> runs, long position) {
    long[] last = runs.isEmpty() ? null : runs.get(runs.size() - 1);
    if (last != null && position == last[1]) {
      last[1] = position + 1;
    } else {
      runs.add(new long[] {position, position + 1});
    }
  }

  /** Reads a file of positions once, though it may be about many data files; in the thread of the statement. */
  private static final class Positions extends BaseDeleteLoader {
    private final Map<String, Object> read = new HashMap<>();

    Positions(FileIO io) {
      super(io::newInputFile, null);
    }

    @Override
    protected boolean canCache(long size) {
      return true;
    }

    @Override
    @SuppressWarnings("unchecked")
    protected <V> V getOrLoad(String key, Supplier<V> load, long size) {
      return (V) read.computeIfAbsent(key, none -> load.get());
    }
  }
}
