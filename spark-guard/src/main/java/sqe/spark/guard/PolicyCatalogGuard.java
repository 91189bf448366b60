package sqe.spark.guard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.MetadataTableType;
import org.apache.iceberg.Schema;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.spark.PathIdentifier;
import org.apache.iceberg.spark.source.SparkTable;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.analysis.NoSuchViewException;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.StagedTable;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableWritePrivilege;
import org.apache.spark.sql.connector.catalog.View;
import sqe.spark.catalog.SqeCatalog;
import sqe.spark.kinds.Procedures;

/** Asks the gateway about what one catalog of one session is about to give or do, and puts the decisions on what it gives. */
public final class PolicyCatalogGuard implements CatalogGuard {
  private static final String CHANGES = "changes";

  /** What Iceberg writes before a ref in the place of a table's name. */
  private static final List<String> SELECTORS = List.of("branch_", "tag_", "snapshot_id_", "at_timestamp_");

  static final Set<String> READ = Set.of("select", "describe");
  private static final List<String> ORDER = List.of("select", "describe"); // what is not there comes first
  private static final Map<Set<TableWritePrivilege>, Set<String>> WRITES =
      Map.of(
          Set.of(TableWritePrivilege.INSERT), Set.of("insert"),
          Set.of(TableWritePrivilege.INSERT, TableWritePrivilege.DELETE), Set.of("overwrite"),
          Set.of(TableWritePrivilege.UPDATE), Set.of("update"),
          Set.of(TableWritePrivilege.DELETE), Set.of("delete"));

  /** A MERGE may read its target like any other table, if all that it does is to insert. */
  private static final Set<String> MERGE = Set.of("merge", "select");

  private final SparkSession session;
  private final String catalog;

  PolicyCatalogGuard(SparkSession session, String catalog) {
    this.session = session;
    this.catalog = catalog;
  }

  SparkSession session() {
    return session;
  }

  @Override
  public boolean hides() {
    return true;
  }

  @Override
  public Table read(Identifier ident, Table loaded, String time, Load load) throws NoSuchTableException {
    if (isChanges(ident, loaded)) {
      Identifier base = parent(ident);
      return changes(ident, base, load.table(base));
    }
    return decided(ident, loaded, time, READ);
  }

  @Override
  public Table write(Identifier ident, Table loaded, Set<TableWritePrivilege> privileges)
      throws NoSuchTableException {
    return decided(ident, loaded, null, privileges.isEmpty() ? READ : WRITES.getOrDefault(Set.copyOf(privileges), MERGE));
  }

  private Table decided(Identifier ident, Table loaded, String time, Set<String> operations)
      throws NoSuchTableException {
    if (PolicyText.isBeingRead()) {
      return loaded; // what a policy looks up is not the reader's business
    }
    if (loaded instanceof SparkTable table && !(loaded instanceof Guarded)) {
      org.apache.iceberg.Table stored = TableFacts.stored(table.table());
      Identifier name = named(ident, stored.name());
      String metadata = stored == table.table() ? null : table.table().name().substring(stored.name().length() + 1);
      boolean selected = metadata == null && name != ident;
      String ref = selected ? ref(ident.name()) : time;
      // The columns of a metadata table are named after those of the table, and so nothing of it is described either.
      return decided(
          ident,
          table,
          resource(name, TableFacts.schema(table), stored, metadata),
          ref,
          metadata == null ? operations : Set.of("select"));
    }
    throw GuardRefusal.unguarded(loaded.name());
  }

  /** The changes of a table. */
  private Table changes(Identifier ident, Identifier name, Table base) throws NoSuchTableException {
    org.apache.iceberg.Table stored = ((SparkTable) base).table();
    Question.Resource resource = resource(name, stored.schema(), stored, CHANGES);
    return new GuardedChanges(stored, new Guarded.Loaded(this, resource, ask(ident, resource, Set.of("select"))));
  }

  private static boolean isChanges(Identifier ident, Table loaded) {
    return ident.name().equalsIgnoreCase(CHANGES) && !(loaded instanceof SparkTable);
  }

  SparkTable decided(
      Identifier ident, SparkTable table, Question.Resource about, String ref, Collection<String> operations)
      throws NoSuchTableException {
    Question.Resource resource =
        new Question.Resource(
            about.kind(),
            about.catalog(),
            about.namespace(),
            about.name(),
            about.columns(),
            about.past(),
            about.uuid(),
            about.owner(),
            about.metadata(),
            ref);
    return new GuardedTable(table, new Guarded.Loaded(this, resource, ask(ident, resource, operations)));
  }

  /**
   * The decisions on all of the operations, if at least one of them is allowed.
   *
   * @param ident as the statement names it
   */
  private Map<String, Decision> ask(Identifier ident, Question.Resource resource, Collection<String> operations)
      throws NoSuchTableException {
    // What is written before what is read, and what is read before its description: the first refusal is told.
    List<String> all = operations.stream().sorted(Comparator.comparing(ORDER::indexOf)).toList();
    List<Decision> decided =
        Decisions.ask(session, all.stream().map(each -> new Question(each, resource)).toList()).decisions();
    Map<String, Decision> decisions = new LinkedHashMap<>();
    for (int i = 0; i < all.size(); i++) {
      decisions.put(all.get(i), decided.get(i));
    }
    if (decided.stream().noneMatch(Decision::allow)) {
      if (isHidden(resource, decided.get(0))) {
        throw new NoSuchTableException(ident);
      }
      throw GuardRefusal.of(decided.get(0));
    }
    return Map.copyOf(decisions);
  }

  /** What is refused and not in listings either is as if it were not there. A rule that restricts a person is no refusal. */
  private boolean isHidden(Question.Resource resource, Decision decision) {
    return !decision.allow() && !decision.unsupported() && !isShown(resource);
  }

  /** Whether it is in listings. */
  private boolean isShown(Question.Resource resource) {
    Question.Resource named =
        Question.Resource.named(
            resource.kind(), catalog, resource.namespace().toArray(String[]::new), resource.name());
    return Decisions.ask(session, List.of(new Question("list", named))).decisions().get(0).allow();
  }

  @Override
  public boolean isShown(String kind, Identifier ident) {
    return isShown(Question.Resource.named(kind, catalog, ident.namespace(), ident.name()));
  }

  @Override
  public boolean isShown(String[] namespace) {
    return isShown(Question.Resource.named("schema", catalog, namespace, null));
  }

  private Question.Resource resource(
      Identifier name, Schema schema, org.apache.iceberg.Table stored, String metadata) {
    return new Question.Resource(
        "table",
        catalog,
        List.of(name.namespace()),
        name.name(),
        TableFacts.columns(schema, stored),
        TableFacts.past(schema, stored),
        stored.uuid().toString(),
        stored.properties().get(TableFacts.OWNER),
        metadata,
        null);
  }

  /** The name of the table that Iceberg has loaded: the last part of an identifier may be no part of it. */
  private Identifier named(Identifier ident, String loaded) {
    if (!(ident instanceof PathIdentifier)) {
      if (fullName(ident).equals(loaded)) {
        return ident;
      }
      if (ident.namespace().length > 0 && fullName(parent(ident)).equals(loaded)) {
        return parent(ident);
      }
    }
    throw GuardRefusal.unguarded(loaded);
  }

  private String fullName(Identifier ident) {
    return CatalogUtil.fullTableName(catalog, TableIdentifier.of(Namespace.of(ident.namespace()), ident.name()));
  }

  /** What is named without the last part, or null. */
  public static Identifier parent(Identifier ident) {
    String[] names = ident.namespace();
    return names.length == 0
        ? null
        : Identifier.of(Arrays.copyOf(names, names.length - 1), names[names.length - 1]);
  }

  /** Whether the last part of a name can mean something of a table: a metadata table, its changes, a ref or a time. */
  public static boolean isPart(String name) {
    return name.equalsIgnoreCase(CHANGES)
        || MetadataTableType.from(name) != null
        || SELECTORS.stream().anyMatch(name::startsWith);
  }

  private static String ref(String selector) {
    for (String kind : SELECTORS) {
      if (selector.startsWith(kind)) {
        return selector.substring(kind.length());
      }
    }
    return selector;
  }

  /** A view is read with the reader's own rights on what it reads; it cannot have a rule on its rows itself. */
  @Override
  public View read(Identifier ident, View view) throws NoSuchViewException {
    if (PolicyText.isBeingRead()) {
      return view;
    }
    if (decided("select", ident, view).hides()) {
      throw GuardRefusal.unsupported(
          "The view " + ident + " cannot be read: a policy on a view cannot be kept, only one on its tables.");
    }
    Question alter = new Question("alter", resource(ident, view));
    return new GuardedView(view, () -> Decisions.ask(session, List.of(alter)).decisions().get(0).allow());
  }

  @Override
  public void allowed(String operation, Identifier ident, View view) throws NoSuchViewException {
    decided(operation, ident, view);
  }

  /** The decision about a view that there is, which allows the operation. */
  Decision decided(String operation, Identifier ident, View view) throws NoSuchViewException {
    Question question = new Question(operation, resource(ident, view));
    Decision decision = Decisions.ask(session, List.of(question)).decisions().get(0);
    if (isHidden(question.resource(), decision)) {
      throw new NoSuchViewException(ident);
    }
    return decision.orRefusal();
  }

  Question.Resource resource(Identifier ident, View view) {
    List<Question.Column> columns =
        Arrays.stream(view.schema().fields())
            .map(field -> Question.Column.ofView(field.name(), field.dataType().catalogString()))
            .toList();
    String owner = view.properties().get(TableFacts.OWNER);
    return new Question.Resource(
        "view", catalog, List.of(ident.namespace()), ident.name(), columns, List.of(), null, owner, null, null);
  }

  @Override
  public void allowed(String operation, Identifier ident, Load load) throws NoSuchTableException {
    allowed(operation, ident, load.table(ident));
  }

  /** Returns if the operation is allowed on a table that there is. */
  void allowed(String operation, Identifier ident, Table loaded) throws NoSuchTableException {
    decided(ident, loaded, null, Set.of(operation));
  }

  /** Returns if the procedure may be called for the table. */
  void called(String procedure, Identifier ident, Table loaded) throws NoSuchTableException {
    Question.Resource resource = ((Guarded) decided(ident, loaded, null, READ)).resource();
    Decision decision =
        Decisions.ask(session, List.of(new Question("procedure", resource, procedure))).decisions().get(0);
    if (!decision.allow()) {
      throw GuardRefusal.of(decision);
    }
  }

  /** The table with the one decision, which allows it. */
  GuardedTable decided(String operation, Identifier ident, SparkTable loaded) throws NoSuchTableException {
    return (GuardedTable) decided(ident, loaded, null, Set.of(operation));
  }

  @Override
  public void allowed(String operation, String kind, Identifier ident) {
    Question.Resource resource = Question.Resource.named(kind, catalog, ident.namespace(), ident.name());
    Decisions.allowed(session, new Question(operation, resource));
  }

  @Override
  public void allowed(String operation, String[] namespace) {
    Decisions.allowed(session, new Question(operation, Question.Resource.named("schema", catalog, namespace, null)));
  }

  @Override
  public Map<String, String> owned(String operation, String kind, Identifier ident, Map<String, String> properties) {
    Question question =
        new Question(operation, Question.Resource.named(kind, catalog, ident.namespace(), ident.name()));
    Decisions.Answer answer = Decisions.ask(session, List.of(question));
    if (!answer.decisions().get(0).allow()) {
      throw GuardRefusal.of(answer.decisions().get(0));
    }
    Map<String, String> owned = new LinkedHashMap<>(properties);
    owned.put(TableFacts.OWNER, answer.user());
    return owned;
  }

  @Override
  public Map<String, String> owned(Map<String, String> properties, Map<String, String> before) {
    Map<String, String> owned = new LinkedHashMap<>(properties);
    if (before.containsKey(TableFacts.OWNER)) {
      owned.put(TableFacts.OWNER, before.get(TableFacts.OWNER));
    }
    return owned;
  }

  @Override
  public void refuseOwn(Collection<String> properties) {
    for (String property : properties) {
      if (property.toLowerCase(Locale.ROOT).startsWith("sqe.")) {
        throw GuardRefusal.denied("The property " + property + " belongs to the server and cannot be set.");
      }
    }
  }

  @Override
  public StagedTable staged(Identifier ident, StagedTable staged) {
    Question.Resource resource = Question.Resource.named("table", catalog, ident.namespace(), ident.name());
    Decision made = new Decision(true, null, Map.of(), List.of(), false, false, null);
    return new GuardedStagedTable(
        staged, new Guarded.Loaded(this, resource, Map.of("insert", made, "overwrite", made)));
  }

  @Override
  public Identifier[] listed(String kind, Identifier[] names) {
    List<Question> questions =
        Arrays.stream(names)
            .map(name -> new Question("list", Question.Resource.named(kind, catalog, name.namespace(), name.name())))
            .toList();
    return shown(names, questions).toArray(Identifier[]::new);
  }

  @Override
  public Procedures.Gate procedures(SqeCatalog catalog) {
    return new ProcedureGate(catalog);
  }

  @Override
  public String[][] listed(String[][] namespaces) {
    List<Question> questions =
        Arrays.stream(namespaces)
            .map(name -> new Question("list", Question.Resource.named("schema", catalog, name, null)))
            .toList();
    return shown(namespaces, questions).toArray(String[][]::new);
  }

  private <T> List<T> shown(T[] names, List<Question> questions) {
    List<Decision> decisions = Decisions.ask(session, questions).decisions();
    List<T> shown = new ArrayList<>();
    for (int i = 0; i < names.length; i++) {
      if (decisions.get(i).allow()) {
        shown.add(names[i]);
      }
    }
    return shown;
  }
}
