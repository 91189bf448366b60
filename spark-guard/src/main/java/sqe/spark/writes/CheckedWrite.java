package sqe.spark.writes;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.apache.spark.sql.connector.metric.CustomMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.write.BatchWrite;
import org.apache.spark.sql.connector.write.DataWriterFactory;
import org.apache.spark.sql.connector.write.DeltaBatchWrite;
import org.apache.spark.sql.connector.write.DeltaWrite;
import org.apache.spark.sql.connector.write.DeltaWriterFactory;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteSummary;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.connector.write.streaming.StreamingWrite;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A write of Iceberg's that commits only if there is something to commit, and that leaves no files if it is canceled.
 *
 * <p>Which files its tasks have made, and which it takes away, is known inside Iceberg only. What cannot be found out there is
 * committed.
 */
sealed interface CheckedWrite extends Write {
  Write write();

  @Override
  default String description() {
    return write().description();
  }

  @Override
  default StreamingWrite toStreaming() {
    return write().toStreaming();
  }

  @Override
  default CustomMetric[] supportedCustomMetrics() {
    return write().supportedCustomMetrics();
  }

  @Override
  default CustomTaskMetric[] reportDriverMetrics() {
    return write().reportDriverMetrics();
  }

  /** Of rows that are added, or of files that are written again. */
  record Batch(Write write) implements CheckedWrite {
    @Override
    public BatchWrite toBatch() {
      return new CheckedBatch(write, write.toBatch());
    }
  }

  /** Of rows that are marked as deleted. */
  record Delta(DeltaWrite write) implements CheckedWrite, DeltaWrite {
    @Override
    public DeltaBatchWrite toBatch() {
      return new CheckedDelta(write, write.toBatch());
    }
  }

  /** The commit of a write. */
  sealed class CheckedBatch implements BatchWrite {
    private static final Logger LOG = LoggerFactory.getLogger(CheckedWrite.class);

    /** The methods of a task's message that tell files. */
    private static final List<String> MADE = List.of("files", "dataFiles", "deleteFiles", "rewrittenDeleteFiles");

    /** The methods of Iceberg's copy-on-write that tell files. */
    private static final List<String> REMOVED = List.of("overwrittenFiles", "danglingDVs");

    /** The field of Iceberg's writes that says whether the files of one that fails are deleted. */
    private static final String CLEANS = "cleanupOnAbort";

    private final Write write;
    private final BatchWrite batch;
    private boolean committing;

    private CheckedBatch(Write write, BatchWrite batch) {
      this.write = write;
      this.batch = batch;
    }

    @Override
    public DataWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
      return batch.createBatchWriterFactory(info);
    }

    @Override
    public boolean useCommitCoordinator() {
      return batch.useCommitCoordinator();
    }

    @Override
    public void onDataWriterCommit(WriterCommitMessage message) {
      batch.onDataWriterCommit(message);
    }

    @Override
    public void commit(WriterCommitMessage[] messages) {
      if (changes(messages)) {
        committing = true;
        batch.commit(messages);
      } else {
        ChangedRows.none();
      }
    }

    @Override
    public void commit(WriterCommitMessage[] messages, WriteSummary summary) {
      if (changes(messages)) {
        committing = true;
        batch.commit(messages, summary);
      } else {
        ChangedRows.none();
      }
    }

    @Override
    public void abort(WriterCommitMessage[] messages) {
      // The thread of a statement that is canceled is interrupted, and Iceberg would stop to delete its files.
      boolean interrupted = Thread.interrupted();
      try {
        if (!committing) {
          cleanUp(); // nobody can have heard of its files
        }
        batch.abort(messages);
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }

    /** Iceberg by itself deletes the files of a failed commit only. */
    private void cleanUp() {
      for (Class<?> kind = write.getClass(); kind != null; kind = kind.getSuperclass()) {
        try {
          Field cleans = kind.getDeclaredField(CLEANS);
          cleans.setAccessible(true);
          cleans.setBoolean(write, true);
          return;
        } catch (NoSuchFieldException declaredAbove) {
          continue;
        } catch (ReflectiveOperationException | RuntimeException unknown) {
          break;
        }
      }
      LOG.warn("the files of {} stay until remove_orphan_files", write.getClass());
    }

    private boolean changes(WriterCommitMessage[] messages) {
      try {
        boolean tells = messages.length == 0;
        for (WriterCommitMessage message : messages) {
          for (String name : MADE) {
            Method method = method(message.getClass(), name);
            tells |= method != null;
            if (method != null && size(method.invoke(message)) > 0) {
              return true;
            }
          }
        }
        for (String name : REMOVED) {
          Method method = method(batch.getClass(), name);
          if (method != null && size(method.invoke(batch)) > 0) {
            return true;
          }
        }
        return !tells || !isKnown(batch.getClass());
      } catch (ReflectiveOperationException | RuntimeException unknown) {
        LOG.warn("cannot tell whether {} changes anything, so it is committed", batch.getClass(), unknown);
        return true;
      }
    }

    /** A copy-on-write has to tell what it removes. */
    private static boolean isKnown(Class<?> batch) {
      return switch (batch.getSimpleName()) {
        case "BatchAppend", "DynamicOverwrite", "PositionDeltaBatchWrite" -> true;
        case "CopyOnWriteOperation" -> REMOVED.stream().allMatch(name -> method(batch, name) != null);
        default -> false;
      };
    }

    private static Method method(Class<?> declaring, String name) {
      return Arrays.stream(declaring.getDeclaredMethods())
          .filter(each -> each.getName().equals(name) && each.getParameterCount() == 0)
          .peek(each -> each.setAccessible(true))
          .findFirst()
          .orElse(null);
    }

    private static int size(Object files) {
      if (files == null) {
        return 0;
      }
      return files instanceof Collection<?> collection ? collection.size() : Array.getLength(files);
    }
  }

  /** The same with marks. */
  final class CheckedDelta extends CheckedBatch implements DeltaBatchWrite {
    private final DeltaBatchWrite delta;

    private CheckedDelta(Write write, DeltaBatchWrite delta) {
      super(write, delta);
      this.delta = delta;
    }

    @Override
    public DeltaWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
      return delta.createBatchWriterFactory(info);
    }
  }
}
