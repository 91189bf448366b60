package sqe.spark.kinds;

import java.util.Locale;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.analysis.TableFunctionRegistry;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SchemaOfXml;
import org.apache.spark.sql.catalyst.expressions.XmlToStructs;
import org.apache.spark.sql.execution.command.CreateSQLFunctionCommand;
import scala.Function1;
import scala.Tuple3;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;
import sqe.spark.trino.TrinoFunctions;

/**
 * Refuses functions of Spark's that no user may call. A gate stands in the registry in the place of each, because some expressions are
 * evaluated while a statement is analysed (a name in IDENTIFIER, the rows of VALUES): a rule would come too late.
 */
public final class FunctionGates {
  private static final KindList FUNCTIONS = new KindList("functions.txt");
  private static final KindList TABLE_FUNCTIONS = new KindList("table_functions.txt");

  /** Names that are kept for what policies hash with. */
  private static final String OURS = "sqe_";

  private static final String INSIDE = "inside";
  private static final String FILE_OF_XML = "rowValidationXSDPath";

  private FunctionGates() {}

  static void inject(SparkSessionExtensions extensions) {
    var functions = FunctionRegistry.builtin();
    for (FunctionIdentifier id : CollectionConverters.asJava(functions.listFunction())) {
      Verdict verdict = FUNCTIONS.of(id.funcName());
      if (!TrinoFunctions.has(id.funcName()) && verdict.word() != Verdict.Word.ALLOW) {
        var gate = new Gate<>(id.funcName(), verdict, functions.lookupFunctionBuilder(id).get());
        extensions.injectFunction(new Tuple3<>(id, functions.lookupFunction(id).get(), gate));
      }
    }
    var tables = TableFunctionRegistry.builtin();
    for (FunctionIdentifier id : CollectionConverters.asJava(tables.listFunction())) {
      Verdict verdict = TABLE_FUNCTIONS.of(id.funcName());
      if (!TrinoFunctions.has(id.funcName()) && verdict.word() != Verdict.Word.ALLOW) {
        var gate = new Gate<>(id.funcName(), verdict, tables.lookupFunctionBuilder(id).get());
        extensions.injectTableFunction(new Tuple3<>(id, tables.lookupFunction(id).get(), gate));
      }
    }
  }

  /** A function of a user's own must not take the place of one that a policy calls in the user's session. */
  static void checkNew(CreateSQLFunctionCommand command) {
    if (!command.isTemp()) {
      throw new NotAllowed("A function in a catalog", KindList.reason("temporary"));
    }
    String name = command.name().funcName().toLowerCase(Locale.ROOT);
    FunctionIdentifier id = new FunctionIdentifier(name);
    if (name.startsWith(OURS)
        || FunctionRegistry.builtin().functionExists(id)
        || TableFunctionRegistry.builtin().functionExists(id)) {
      throw new NotAllowed("A function with the name " + name, KindList.reason("taken"));
    }
  }

  /** Refuse functions of XML, which are harmless but for an option that names a file, with that option. */
  public static void checkMade(String name, Expression made) {
    Map<String, String> options =
        made instanceof XmlToStructs xml ? xml.options() : made instanceof SchemaOfXml xml ? xml.options() : null;
    if (KindRules.isOn()
        && options != null
        && CollectionConverters.asJava(options).keySet().stream().anyMatch(FILE_OF_XML::equalsIgnoreCase)) {
      throw new NotAllowed("The option " + FILE_OF_XML + " of " + name, KindList.reason("files"));
    }
  }

  private static final class Gate<T> extends AbstractFunction1<Seq<Expression>, T> {
    private final String name;
    private final Verdict verdict;
    private final Function1<Seq<Expression>, T> builtin;

    Gate(String name, Verdict verdict, Function1<Seq<Expression>, T> builtin) {
      this.name = name;
      this.verdict = verdict;
      this.builtin = builtin;
    }

    @Override
    public T apply(Seq<Expression> arguments) {
      if (KindRules.isOn() && verdict.refuses() && !isOfProcedure()) {
        throw new NotAllowed("The function " + name, KindList.reason(verdict.detail()));
      }
      return builtin.apply(arguments);
    }

    /** Procedures ask for names of files. But they also read conditions that a user wrote: these run no code. */
    private boolean isOfProcedure() {
      return Procedures.running() && verdict.detail().equals(INSIDE);
    }
  }
}
