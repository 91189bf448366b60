package sqe.spark.guard;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import sqe.spark.identity.Protocol.ColumnFields;
import sqe.spark.identity.Protocol.QuestionFields;

/** A question to the gateway: whether the user of the session may do an operation with a resource. */
record Question(String operation, Resource resource, String procedure) {
  /**
   * @param fieldId Iceberg's, or null; it stays when a column is renamed
   * @param now of an old state of a table: the name that the column has today, or null if it is gone
   * @param moved of an old state of a table: whether names of fields inside of it mean other fields today
   * @param former of a column that is gone: all names that it had
   * @param inPaths of a column that is not read: whether its values are in partitions, and so in the names of files
   */
  record Column(
      String name,
      String type,
      Integer fieldId,
      List<String> tags,
      String now,
      boolean moved,
      List<String> former,
      boolean inPaths) {
    static Column ofView(String name, String type) {
      return new Column(name, type, null, List.of(), null, false, List.of(), false);
    }

    Map<String, Object> fields() {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put(ColumnFields.NAME, name);
      fields.put(ColumnFields.TYPE, type);
      fields.put(ColumnFields.FIELD_ID, fieldId);
      fields.put(ColumnFields.TAGS, tags);
      fields.put(ColumnFields.NOW, now);
      fields.put(ColumnFields.MOVED, moved);
      fields.put(ColumnFields.FORMER, former);
      fields.put(ColumnFields.IN_PATHS, inPaths);
      return fields;
    }
  }

  /**
   * The object of the question.
   *
   * @param kind {@code table}, {@code view}, {@code schema} or {@code catalog}
   * @param name of a table or view, else null
   * @param past columns of other states of the table, which this one does not have
   * @param metadata the metadata table that is meant, or null
   * @param ref a branch, tag, snapshot or time, or null
   */
  record Resource(
      String kind,
      String catalog,
      List<String> namespace,
      String name,
      List<Column> columns,
      List<Column> past,
      String uuid,
      String owner,
      String metadata,
      String ref) {
    static Resource named(String kind, String catalog, String[] namespace, String name) {
      return new Resource(kind, catalog, List.of(namespace), name, List.of(), List.of(), null, null, null, null);
    }

    /** For people. */
    @Override
    public String toString() {
      StringBuilder text = new StringBuilder(catalog);
      namespace.forEach(part -> text.append('.').append(part));
      if (name != null) {
        text.append('.').append(name);
      }
      if (metadata != null) {
        text.append('.').append(metadata);
      }
      return text.toString();
    }
  }

  Question(String operation, Resource resource) {
    this(operation, resource, null);
  }

  Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(QuestionFields.OPERATION, operation);
    fields.put(QuestionFields.KIND, resource.kind());
    fields.put(QuestionFields.CATALOG, resource.catalog());
    fields.put(QuestionFields.NAMESPACE, resource.namespace());
    fields.put(QuestionFields.NAME, resource.name());
    fields.put(QuestionFields.COLUMNS, resource.columns().stream().map(Column::fields).toList());
    fields.put(QuestionFields.PAST, resource.past().stream().map(Column::fields).toList());
    fields.put(QuestionFields.UUID, resource.uuid());
    fields.put(QuestionFields.OWNER, resource.owner());
    fields.put(QuestionFields.METADATA, resource.metadata());
    fields.put(QuestionFields.REF, resource.ref());
    fields.put(QuestionFields.PROCEDURE, procedure);
    return fields;
  }
}
