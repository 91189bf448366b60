import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Trino's command line on the class path, run once for each line of JSON on standard input.
 *
 * <p>A command is {"id": 7, "arguments": [...]}; the answer is {"id": 7, "code": 0, "out": "...", "err": "..."}. It is what
 * {@code io.trino.cli.Trino.main} does, without a JVM for each statement. The end of the input is the end.
 */
public final class TrinoCliDriver {
    private TrinoCliDriver() {}

    public static void main(String[] none) throws Exception {
        PrintStream answers = System.out;
        // By name: our driver is compiled once for all clients, without any of them.
        Class<?> console = Class.forName("io.trino.cli.Console");
        Method commandLine = Class.forName("io.trino.cli.Trino").getMethod("createCommandLine", Object.class);
        try (BufferedReader commands =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                Map<?, ?> command = (Map<?, ?>) Json.read(line);
                String[] arguments = ((List<?>) command.get("arguments")).toArray(new String[0]);
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                ByteArrayOutputStream err = new ByteArrayOutputStream();
                System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
                System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
                Object run = commandLine.invoke(null, console.getConstructor().newInstance());
                int code = (Integer) run.getClass().getMethod("execute", String[].class).invoke(run, (Object) arguments);
                System.out.flush();
                System.err.flush();
                Map<String, Object> answer = new LinkedHashMap<>();
                answer.put("id", String.valueOf(command.get("id")));
                answer.put("code", code);
                answer.put("out", out.toString(StandardCharsets.UTF_8));
                answer.put("err", err.toString(StandardCharsets.UTF_8));
                answers.println(Json.write(answer));
                answers.flush();
            }
        }
        System.exit(0);
    }
}
