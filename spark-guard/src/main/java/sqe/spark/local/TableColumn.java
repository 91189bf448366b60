package sqe.spark.local;

import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.spark.SparkUtil;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DoubleType;

/** A column that a statement reads from a table, by its id. */
record TableColumn(String name, DataType type, NestedField field) {

  static TableColumn of(AttributeReference attribute, Schema projection, Table table) {
    NestedField field = projection.asStruct().field(attribute.name());
    if (field == null || MetadataColumns.isMetadataColumn(field.fieldId())) {
      throw new NotRendered("metadata columns");
    }
    if (!field.type().isPrimitiveType() || field.type().typeId() == Type.TypeID.UUID) {
      throw new NotRendered("columns of type " + field.type().typeId());
    }
    TableColumn column = new TableColumn(Expressions.column(attribute), attribute.dataType(), field);
    if (field.type().typeId() == Type.TypeID.DOUBLE && column.was(Type.TypeID.FLOAT, table)) {
      // DuckDB compares the float of the file with the constant as a float: 0.1 would be equal to the float 0.1.
      throw new NotRendered("a column that was of type float");
    }
    return column;
  }

  private boolean was(Type.TypeID type, Table table) {
    return table.schemas().values().stream()
        .map(schema -> schema.findField(field.fieldId()))
        .anyMatch(before -> before != null && before.type().typeId() == type);
  }

  int id() {
    return field.fieldId();
  }

  /** Whether every file has this column. */
  boolean isInAllFiles() {
    return field.isRequired() && field.initialDefault() == null;
  }

  /** The column's entry in the map of columns of DuckDB's read_parquet. All defaults are texts, because a map has one type. */
  String definition() {
    Object value = SparkUtil.internalToSpark(field.type(), field.initialDefault());
    return id() + ": {name: '" + name.substring(1, name.length() - 1) + "', type: '" + Types.name(type)
        + "', default_value: " + (value == null ? "NULL" : "CAST(" + constant(value) + " AS VARCHAR)") + "}";
  }

  /** A value of the table's metadata, in Spark's form: of a partition, or a default. */
  String constant(Object value) {
    if (type instanceof BinaryType && value != null) {
      return "CAST(" + Literals.quoted(escaped((byte[]) value)) + " AS BLOB)";
    }
    if (type instanceof DoubleType && value instanceof Float) {
      throw new NotRendered("a column that was of type float");
    }
    return Literals.of(value, type);
  }

  static String escaped(byte[] bytes) {
    StringBuilder escaped = new StringBuilder();
    for (byte each : bytes) {
      escaped.append(String.format("\\x%02X", each & 0xFF));
    }
    return escaped.toString();
  }
}
