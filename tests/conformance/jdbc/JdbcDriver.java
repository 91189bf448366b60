import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Any JDBC driver on the class path, driven by lines of JSON on standard input.
 *
 * <p>A command is {"id": 7, "op": "query", ...}; the answer is {"id": 7, ...} or {"id": 7, "error": {...}}. Each command
 * runs on a thread of its own, so that a statement can be canceled while it runs. The end of the input is the end.
 */
public final class JdbcDriver {
    private final Map<String, Connection> connections = new ConcurrentHashMap<>();
    private final Map<String, Statement> running = new ConcurrentHashMap<>();
    private final PrintStream answers;

    private JdbcDriver(PrintStream answers) {
        this.answers = answers;
    }

    public static void main(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        System.setOut(System.err); // whatever a driver prints must not get between the answers
        JdbcDriver driver = new JdbcDriver(answers);
        try (BufferedReader commands =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                Map<String, Object> command = map(Json.read(line));
                Thread thread = new Thread(() -> driver.answer(command), "command-" + command.get("id"));
                thread.setDaemon(true);
                thread.start();
            }
        }
        System.exit(0);
    }

    private void answer(Map<String, Object> command) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("id", String.valueOf(command.get("id")));
        try {
            answer.putAll(run(command));
        } catch (Throwable error) { // whatever it is, it belongs to this command and to no other
            answer.put("error", described(error));
        }
        String line = Json.write(answer);
        synchronized (answers) {
            answers.println(line);
            answers.flush();
        }
    }

    private Map<String, Object> run(Map<String, Object> command) throws Exception {
        String op = text(command, "op");
        if (op.equals("connect")) {
            return connect(command);
        }
        if (op.equals("cancel")) {
            Statement statement = running.get(text(command, "statement"));
            if (statement != null) {
                statement.cancel();
            }
            return Map.of("done", statement != null);
        }
        Connection connection = connections.get(text(command, "connection"));
        if (connection == null) {
            throw new SQLException("JdbcDriver knows no connection " + command.get("connection"));
        }
        switch (op) {
            case "query":
            case "update":
            case "execute":
            case "scan":
                return statement(connection, command, op);
            case "prepared":
                return prepared(connection, command);
            case "describe":
                return describe(connection, command);
            case "metadata":
                return metadata(connection.getMetaData(), command);
            case "product":
                return product(connection.getMetaData());
            case "valid":
                return Map.of("done", connection.isValid(10));
            case "autocommit":
                connection.setAutoCommit((Boolean) command.get("on"));
                return Map.of("done", connection.getAutoCommit());
            case "commit":
                connection.commit();
                return Map.of("done", true);
            case "rollback":
                connection.rollback();
                return Map.of("done", true);
            case "where":
                return where(connection);
            case "use":
                connection.setCatalog(text(command, "catalog"));
                connection.setSchema(text(command, "schema"));
                return Map.of("done", true);
            case "close":
                connections.remove(text(command, "connection"));
                connection.close();
                return Map.of("done", true);
            default:
                throw new SQLException("JdbcDriver does not know " + op);
        }
    }

    private Map<String, Object> connect(Map<String, Object> command) throws SQLException {
        Properties properties = new Properties();
        map(command.get("properties")).forEach((name, value) -> properties.setProperty(name, (String) value));
        connections.put(text(command, "connection"), DriverManager.getConnection(text(command, "url"), properties));
        return Map.of("done", true);
    }

    private Map<String, Object> statement(Connection connection, Map<String, Object> command, String op)
            throws SQLException {
        String name = text(command, "statement");
        try (Statement statement = connection.createStatement()) {
            running.put(name, statement);
            String sql = text(command, "sql");
            switch (op) {
                case "query":
                    return rows(statement.executeQuery(sql));
                case "update":
                    return Map.of("count", statement.executeLargeUpdate(sql));
                case "scan":
                    return scan(statement.executeQuery(sql));
                default:
                    boolean hasRows = statement.execute(sql);
                    return hasRows ? rows(statement.getResultSet()) : Map.of("count", statement.getUpdateCount());
            }
        } finally {
            running.remove(name);
        }
    }

    private Map<String, Object> prepared(Connection connection, Map<String, Object> command) throws SQLException {
        String name = text(command, "statement");
        try (PreparedStatement statement = connection.prepareStatement(text(command, "sql"))) {
            running.put(name, statement);
            Map<String, Object> last = Map.of();
            for (Object parameters : (List<?>) command.get("parameters")) {
                int index = 1;
                for (Object parameter : (List<?>) parameters) {
                    Values.bind(statement, index++, (List<?>) parameter);
                }
                if (Boolean.TRUE.equals(command.get("update"))) {
                    last = Map.of("count", statement.executeLargeUpdate());
                    continue;
                }
                boolean hasRows = statement.execute();
                last = hasRows ? rows(statement.getResultSet()) : Map.of("count", statement.getUpdateCount());
            }
            return last;
        } finally {
            running.remove(name);
        }
    }

    private Map<String, Object> describe(Connection connection, Map<String, Object> command) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(text(command, "sql"))) {
            ParameterMetaData parameters = statement.getParameterMetaData();
            List<Object> types = new ArrayList<>();
            for (int i = 1; i <= parameters.getParameterCount(); i++) {
                types.add(parameters.getParameterTypeName(i));
            }
            ResultSetMetaData columns = statement.getMetaData();
            return Map.of("parameters", types, "columns", columns == null ? List.of() : columns(columns));
        }
    }

    private Map<String, Object> metadata(DatabaseMetaData metadata, Map<String, Object> command) throws SQLException {
        String catalog = (String) command.get("catalog");
        String schema = (String) command.get("schema");
        String table = (String) command.get("table");
        ResultSet found =
                switch (text(command, "call")) {
                    case "getCatalogs" -> metadata.getCatalogs();
                    case "getSchemas" -> metadata.getSchemas(catalog, schema);
                    case "getTables" -> metadata.getTables(catalog, schema, table, null);
                    case "getColumns" -> metadata.getColumns(catalog, schema, table, null);
                    case "getPrimaryKeys" -> metadata.getPrimaryKeys(catalog, schema, table);
                    case "getTypeInfo" -> metadata.getTypeInfo();
                    case "getTableTypes" -> metadata.getTableTypes();
                    default -> throw new SQLException("JdbcDriver does not know " + command.get("call"));
                };
        return rows(found);
    }

    private static Map<String, Object> product(DatabaseMetaData metadata) throws SQLException {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("name", metadata.getDatabaseProductName());
        answer.put("version", metadata.getDatabaseProductVersion());
        answer.put("quote", metadata.getIdentifierQuoteString());
        answer.put("user", metadata.getUserName());
        answer.put("readOnly", metadata.isReadOnly());
        answer.put("keywords", metadata.getSQLKeywords());
        return answer;
    }

    private static Map<String, Object> where(Connection connection) throws SQLException {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("catalog", connection.getCatalog());
        answer.put("schema", connection.getSchema());
        return answer;
    }

    private static Map<String, Object> rows(ResultSet found) throws SQLException {
        try (ResultSet rows = found) {
            ResultSetMetaData metadata = rows.getMetaData();
            List<Object> columns = columns(metadata);
            int count = columns.size();
            List<Object> out = new ArrayList<>();
            while (rows.next()) {
                List<Object> row = new ArrayList<>(count);
                for (int i = 1; i <= count; i++) {
                    row.add(Values.read(rows, i, metadata.getColumnType(i)));
                }
                out.add(row);
            }
            return Map.of("columns", columns, "rows", out);
        }
    }

    /** Reads everything and keeps nothing: how many rows there are, and the sum of their first column. */
    private static Map<String, Object> scan(ResultSet found) throws SQLException {
        try (ResultSet rows = found) {
            long count = 0;
            long sum = 0;
            while (rows.next()) {
                count++;
                sum += rows.getLong(1);
            }
            return Map.of("count", count, "sum", sum);
        }
    }

    private static List<Object> columns(ResultSetMetaData metadata) throws SQLException {
        List<Object> out = new ArrayList<>();
        for (int i = 1; i <= metadata.getColumnCount(); i++) {
            Map<String, Object> column = new LinkedHashMap<>();
            column.put("name", metadata.getColumnLabel(i));
            column.put("type", metadata.getColumnTypeName(i));
            column.put("jdbc", metadata.getColumnType(i));
            column.put("precision", metadata.getPrecision(i));
            column.put("scale", metadata.getScale(i));
            column.put("nullable", metadata.isNullable(i));
            out.add(column);
        }
        return out;
    }

    private static Map<String, Object> described(Throwable error) {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("class", error.getClass().getName());
        out.put("message", String.valueOf(error.getMessage()));
        if (error instanceof SQLException failure) {
            out.put("sqlState", failure.getSQLState());
            out.put("code", failure.getErrorCode());
        }
        List<Object> causes = new ArrayList<>();
        for (Throwable cause = error.getCause(); cause != null && causes.size() < 8; cause = cause.getCause()) {
            causes.add(cause.getClass().getName() + ": " + cause.getMessage());
        }
        out.put("causes", causes);
        if (!(error instanceof SQLException)) {
            List<Object> stack = new ArrayList<>();
            for (StackTraceElement element : error.getStackTrace()) {
                stack.add(element.toString());
                if (stack.size() == 8) {
                    break;
                }
            }
            out.put("stack", stack);
        }
        return out;
    }

    private static String text(Map<String, Object> command, String name) {
        return (String) command.get(name);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }
}
