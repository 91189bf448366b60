import java.math.BigDecimal;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Struct;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Values of a driver as pairs of a kind and a text, and parameters back into Java's types. */
final class Values {
    private Values() {}

    /** The value in a column: its own Java class decides, not what SQL says about it. */
    static Object read(ResultSet rows, int column, int type) throws SQLException {
        // java.sql.Date and Timestamp have the old calendar and the JVM's time zone in them. What the driver offers of
        // java.time is exact, so that is asked for first.
        if (type == Types.DATE) {
            return written(ask(rows, column, LocalDate.class, rows::getDate));
        }
        if (type == Types.TIMESTAMP) {
            return written(ask(rows, column, LocalDateTime.class, rows::getTimestamp));
        }
        if (type == Types.TIMESTAMP_WITH_TIMEZONE) {
            return written(ask(rows, column, ZonedDateTime.class, rows::getTimestamp));
        }
        return written(rows.getObject(column));
    }

    private interface Older {
        Object get(int column) throws SQLException;
    }

    private static Object ask(ResultSet rows, int column, Class<?> wanted, Older older) throws SQLException {
        Object value = older.get(column);
        if (value == null) { // not every driver asks itself that before it converts
            return null;
        }
        try {
            return rows.getObject(column, wanted);
        } catch (SQLException | RuntimeException notOffered) {
            return value;
        }
    }

    static Object written(Object value) throws SQLException {
        if (value == null) {
            return null;
        }
        if (value instanceof byte[] bytes) {
            return List.of("bytes", Base64.getEncoder().encodeToString(bytes));
        }
        if (value instanceof Array array) {
            return List.of("array", elements(array.getArray()));
        }
        if (value instanceof List<?> list) {
            return List.of("array", elements(list.toArray()));
        }
        if (value instanceof Object[] array) {
            return List.of("array", elements(array));
        }
        if (value instanceof Struct struct) {
            return List.of("row", elements(struct.getAttributes()));
        }
        if (value instanceof Map<?, ?> map) {
            List<Object> pairs = new ArrayList<>();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                List<Object> pair = new ArrayList<>();
                pair.add(written(entry.getKey()));
                pair.add(written(entry.getValue()));
                pairs.add(pair);
            }
            return List.of("map", pairs);
        }
        return switch (value.getClass().getName()) {
            case "io.trino.jdbc.Row" -> List.of("row", trinoRow(value));
            case "java.sql.Timestamp" -> List.of("Timestamp", ((java.sql.Timestamp) value).toInstant().toString());
            case "java.math.BigDecimal" -> List.of("BigDecimal", ((BigDecimal) value).toPlainString());
            default -> List.of(value.getClass().getSimpleName(), value.toString());
        };
    }

    private static List<Object> elements(Object array) throws SQLException {
        List<Object> out = new ArrayList<>();
        for (int i = 0; i < java.lang.reflect.Array.getLength(array); i++) {
            out.add(written(java.lang.reflect.Array.get(array, i)));
        }
        return out;
    }

    /** The class is in the driver's own package, which this program does not need to be compiled. */
    private static List<Object> trinoRow(Object row) throws SQLException {
        try {
            List<Object> out = new ArrayList<>();
            for (Object field : (List<?>) row.getClass().getMethod("getFields").invoke(row)) {
                List<Object> pair = new ArrayList<>();
                pair.add(((java.util.Optional<?>) field.getClass().getMethod("getName").invoke(field)).orElse(null));
                pair.add(written(field.getClass().getMethod("getValue").invoke(field)));
                out.add(pair);
            }
            return out;
        } catch (ReflectiveOperationException error) {
            throw new SQLException(error);
        }
    }

    /** A parameter comes as the name of a type and a text; the text is null for NULL. */
    static void bind(PreparedStatement statement, int index, List<?> parameter) throws SQLException {
        String type = (String) parameter.get(0);
        String text = (String) parameter.get(1);
        if (text == null) {
            statement.setNull(index, sqlType(type));
            return;
        }
        switch (type) {
            case "boolean" -> statement.setBoolean(index, Boolean.parseBoolean(text));
            case "tinyint" -> statement.setByte(index, Byte.parseByte(text));
            case "smallint" -> statement.setShort(index, Short.parseShort(text));
            case "integer" -> statement.setInt(index, Integer.parseInt(text));
            case "bigint" -> statement.setLong(index, Long.parseLong(text));
            case "real" -> statement.setFloat(index, Float.parseFloat(text));
            case "double" -> statement.setDouble(index, Double.parseDouble(text));
            case "decimal" -> statement.setBigDecimal(index, new BigDecimal(text));
            case "varbinary" -> statement.setBytes(index, Base64.getDecoder().decode(text));
            case "date" -> statement.setDate(index, java.sql.Date.valueOf(text));
            case "timestamp" -> statement.setTimestamp(index, java.sql.Timestamp.valueOf(text));
            case "varchar" -> statement.setString(index, text);
            default -> throw new SQLException("JdbcDriver cannot bind " + type);
        }
    }

    private static int sqlType(String type) {
        return switch (type) {
            case "boolean" -> Types.BOOLEAN;
            case "tinyint" -> Types.TINYINT;
            case "smallint" -> Types.SMALLINT;
            case "integer" -> Types.INTEGER;
            case "bigint" -> Types.BIGINT;
            case "real" -> Types.REAL;
            case "double" -> Types.DOUBLE;
            case "decimal" -> Types.DECIMAL;
            case "varbinary" -> Types.VARBINARY;
            case "date" -> Types.DATE;
            case "timestamp" -> Types.TIMESTAMP;
            default -> Types.VARCHAR;
        };
    }
}
