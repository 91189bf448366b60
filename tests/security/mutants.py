"""The clauses of the guard, each with the tests that go red without it.

A text has to be in its file exactly once: tests/security/test_mutants.py says so when code has changed.
"""

from __future__ import annotations

from dataclasses import dataclass

CORPUS = "tests/security/test_corpus.py::test_a_bypass_is_none"
GUARD_WRITES = "tests/integration/engine/test_guard_writes.py"
GUARD_NAMES = "tests/integration/engine/test_guard_names.py"


@dataclass(frozen=True, slots=True)
class Mutant:
    name: str
    file: str
    text: str
    replacement: str
    tests: tuple[str, ...]

    @property
    def needs_engine(self) -> bool:
        return any(test.startswith("tests/security/") for test in self.tests)


def corpus(*cases: str) -> tuple[str, ...]:
    return tuple(f"{CORPUS}[{case}]" for case in cases)


def bounds(test: str) -> tuple[str, ...]:
    return (f"tests/integration/engine/test_bounds.py::{test}",)


def java(name: str) -> str:
    return f"spark-guard/src/main/java/sqe/spark/{name}.java"


def policy(name: str) -> str:
    return f"src/sqe/policy/{name}.py"


MUTANTS: tuple[Mutant, ...] = (
    # What is written into the plan.
    Mutant(
        "guard-rule",
        java("guard/Guard"),
        "    extensions.injectPostHocResolutionRule(session -> new GuardRule((SparkSession) session));\n",
        "",
        corpus("guard-star"),
    ),
    Mutant(
        "guard-filter",
        java("guard/PolicyText"),
        "decision.filter() == null ? whole : Barriers.above(",
        "true ? whole : Barriers.above(",
        corpus("kyuubi-3186-any-filter-at-all"),
    ),
    Mutant(
        "guard-barrier",
        java("guard/PolicyText"),
        "Barriers.above(new Filter(filter(decision, table.resource()), whole))",
        "new Filter(filter(decision, table.resource()), whole)",
        corpus(
            *("postgres-leaky-division-in-where", "postgres-leaky-cast-in-where"),
            *("postgres-leaky-division-in-join", "postgres-leaky-raise-in-subquery"),
        ),
    ),
    Mutant(
        "guard-masks",
        java("guard/PolicyText"),
        "    if (mask != null) {\n",
        "    if (false) {\n",
        corpus("guard-star"),
    ),
    Mutant(
        "guard-metadata-columns",
        java("guard/PolicyText"),
        "if (package$.MODULE$.MetadataColumnHelper(column).isMetadataCol()) {",
        "if (false) {",
        corpus("column-file", "column-partition"),
    ),
    Mutant(
        "guard-policy-functions",
        java("guard/PolicyText"),
        "if (part instanceof UserDefinedExpression || part instanceof CallMethodViaReflection) {",
        "if (false) {",
        (
            (
                "tests/integration/engine/test_guard_reads.py"
                "::test_a_policy_that_is_wrong_is_a_refusal_that_does_not_show_it"
            ),
        ),
    ),
    Mutant(
        "guard-restricted-columns",
        java("guard/GuardedTable"),
        "this.hidden = whole ? List.of() : seen().restricted();",
        "this.hidden = List.of();",
        corpus("guard-star", "kyuubi-2391-restricted-in-a-condition"),
    ),
    Mutant(
        "guard-own-properties",
        java("guard/GuardedTable"),
        "key.startsWith(OWN) || !open && !HARMLESS.contains(key)",
        "!open && !HARMLESS.contains(key)",
        corpus("command-show-properties"),
    ),
    Mutant(
        "guard-harmless-properties",
        java("guard/GuardedTable"),
        "key.startsWith(OWN) || !open && !HARMLESS.contains(key)",
        "key.startsWith(OWN)",
        corpus("command-show-properties"),
    ),
    # Names and places.
    Mutant(
        "names-separators",
        java("Names"),
        "if (part.indexOf(separator) >= 0) {",
        "if (false) {",
        corpus("name-dotted-schema", "name-new-table-out"),
    ),
    Mutant(
        "names-invisible",
        java("Names"),
        "if (part.codePoints().anyMatch(Names::isInvisible)) {",
        "if (false) {",
        corpus("name-new-table-bidi"),
    ),
    Mutant(
        "names-normal-form",
        java("Names"),
        "return Normalizer.isNormalized(part, Normalizer.Form.NFC) ? null",
        "return true ? null",
        corpus("name-new-table-decomposed"),
    ),
    Mutant(
        "names-blanks",
        java("Names"),
        "if (part.charAt(0) == ' ' || part.charAt(part.length() - 1) == ' ') {",
        "if (false) {",
        corpus("name-new-table-blank"),
    ),
    Mutant(
        "names-in-listings",
        java("SqeCatalog"),
        "String[][] valid = Names.valid(name(), namespaces);",
        "String[][] valid = namespaces;",
        (GUARD_NAMES + "::test_an_object_with_a_bad_name_is_left_out_of_listings_and_harms_no_other",),
    ),
    Mutant(
        "places-are-unique",
        java("Warehouse"),
        " + '-' + UUID.randomUUID()",
        "",
        (GUARD_NAMES + "::test_a_table_never_shares_the_directory_of_one_that_had_its_name",),
    ),
    Mutant(
        "places-are-below-the-warehouse",
        java("Warehouse"),
        "if (!isBelow(made)) {",
        "if (false) {",
        (GUARD_NAMES + "::test_a_link_out_of_the_warehouse_is_not_followed",),
    ),
    Mutant(
        "hidden-tables-are-not-there",
        java("guard/PolicyCatalogGuard"),
        "return !decision.allow() && !decision.unsupported() && !isShown(resource);",
        "return false;",
        corpus("hidden-select", "hidden-drop"),
    ),
    Mutant(
        "hidden-history-is-not-told",
        java("SqeCatalog"),
        'if (guard.hides() && !guard.isShown("table", based(ident))) {',
        "if (false) {",
        corpus("hidden-timestamp", "hidden-snapshot"),
    ),
    Mutant(
        "hidden-tables-do-not-exist",
        java("SqeCatalog"),
        "      if (guard.hides()) {\n        loadTable(ident);\n        return true;\n      }\n",
        "",
        corpus("taken-create"),
    ),
    # What is refused.
    Mutant(
        "catalog-asks-for-tables",
        java("SqeCatalog"),
        "    return guard.read(ident, loaded, time, super::loadTable);\n",
        "    return loaded;\n",
        corpus("guard-forbidden"),
    ),
    Mutant(
        "catalog-asks-for-changes",
        java("guard/PolicyCatalogGuard"),
        "    if (isChanges(ident, loaded)) {\n",
        "    if (false) {\n",
        corpus("kyuubi-7740-changes"),
    ),
    Mutant(
        "catalog-asks-for-views",
        java("SqeCatalog"),
        "    return guard.read(ident, view);\n",
        "    return view;\n",
        corpus("guard-view-without-a-right"),
    ),
    Mutant(
        "catalog-asks-for-drops",
        java("SqeCatalog"),
        '      guard.allowed("drop", ident, super::loadTable);\n',
        "      super.loadTable(ident);\n",
        corpus("write-drop"),
    ),
    Mutant(
        "catalog-asks-for-renames",
        java("SqeCatalog"),
        '    guard.allowed("create_table", "table", to);\n',
        "",
        corpus("write-rename-to-a-forbidden-place"),
    ),
    Mutant(
        "catalog-asks-for-replaced-tables",
        java("SqeCatalog"),
        '    guard.allowed("replace_table", ident, super::loadTable);\n',
        "",
        corpus("write-replace-table", "write-replace-table-as"),
    ),
    Mutant(
        "catalog-asks-for-new-tables",
        java("SqeCatalog"),
        'guard.owned("create_table", "table", ident, properties);',
        "properties;",
        corpus("write-create-in-a-closed-schema"),
    ),
    Mutant(
        "catalog-asks-for-new-views",
        java("SqeCatalog"),
        'guard.owned("create_view", "view", ident, properties);',
        "properties;",
        corpus("write-create-view-in-a-closed-schema"),
    ),
    Mutant(
        "catalog-asks-for-replaced-views",
        java("SqeCatalog"),
        '      guard.allowed("alter", ident, view);\n    } catch (NoSuchViewException hidden) {',
        "      storedView(ident);\n    } catch (NoSuchViewException hidden) {",
        corpus("write-replace-view"),
    ),
    Mutant(
        "catalog-asks-for-altered-views",
        java("SqeCatalog"),
        '    guard.allowed("alter", ident, view);\n    return super.alterView',
        "    return super.alterView",
        corpus("write-alter-view-properties"),
    ),
    Mutant(
        "catalog-asks-for-dropped-views",
        java("SqeCatalog"),
        '      guard.allowed("drop", ident, view);\n',
        "",
        corpus("write-drop-view"),
    ),
    Mutant(
        "catalog-asks-for-renamed-views",
        java("SqeCatalog"),
        '    guard.allowed("rename", from, view);\n',
        "",
        corpus("write-rename-a-view-to-an-open-place"),
    ),
    Mutant(
        "catalog-asks-for-new-names-of-views",
        java("SqeCatalog"),
        '    guard.allowed("create_view", "view", to);\n',
        "",
        corpus("write-rename-own-view-to-a-forbidden-place"),
    ),
    Mutant(
        "catalog-lists-views",
        java("SqeCatalog"),
        'return guard.listed("view", views);',
        "return views;",
        (GUARD_WRITES + "::test_only_names_that_one_may_see_are_listed",),
    ),
    Mutant(
        "catalog-lists-schemas",
        java("SqeCatalog"),
        "return guard.listed(valid);",
        "return valid;",
        corpus("command-show-schemas-hides"),
    ),
    Mutant(
        "catalog-shows-schemas",
        java("SqeCatalog"),
        " && (namespace.length == 0 || guard.isShown(namespace))",
        "",
        corpus("command-describe-closed-schema", "hidden-use-of-a-schema"),
    ),
    Mutant(
        "catalog-asks-for-new-schemas",
        java("SqeCatalog"),
        '    guard.allowed("create_schema", namespace);\n',
        "",
        corpus("write-create-schema"),
    ),
    Mutant(
        "catalog-asks-for-altered-schemas",
        java("SqeCatalog"),
        '    guard.allowed("alter_schema", namespace);\n',
        "",
        corpus("write-alter-schema"),
    ),
    Mutant(
        "catalog-asks-for-dropped-schemas",
        java("SqeCatalog"),
        '    guard.allowed("drop_schema", namespace);\n',
        "",
        corpus("write-drop-schema"),
    ),
    Mutant(
        "classes-are-nobody-s",
        java("kinds/Places"),
        'if (key.endsWith("impl")) {',
        "if (false) {",
        corpus("write-create-with-a-class"),
    ),
    Mutant(
        "catalog-lists-tables",
        java("SqeCatalog"),
        'return guard.listed("table", tables);',
        "return tables;",
        corpus("command-show-tables-hides", "information-tables"),
    ),
    Mutant(
        "catalog-keeps-own-properties",
        java("guard/PolicyCatalogGuard"),
        'if (property.toLowerCase(Locale.ROOT).startsWith("sqe.")) {',
        "if (false) {",
        corpus("write-create-with-an-owner"),
    ),
    Mutant(
        "places-are-the-catalog-s",
        java("kinds/Places"),
        "if (!ownKeys && isPlace(key)) {",
        "if (false) {",
        corpus("write-create-at-a-place", "write-create-with-files-at-a-place"),
    ),
    Mutant(
        "procedures-are-asked-about",
        java("kinds/Procedures"),
        "      gate.decide(procedure, input);\n",
        "",
        corpus("write-call-fast-forward", "write-call-ancestors"),
    ),
    Mutant(
        "explain-is-refused",
        java("guard/EarlyRule"),
        "if (mark != null && (mark.decision() == null || mark.decision().hides())) {",
        "if (false) {",
        corpus("command-explain", "command-explain-view"),
    ),
    Mutant(
        "explain-is-for-queries",
        java("guard/EarlyRule"),
        "    if (refused.get()) {\n",
        "    if (false) {\n",
        corpus("command-explain-insert-target", "command-explain-delete"),
    ),
    Mutant(
        "merge-is-no-insert",
        java("guard/EarlyRule"),
        "    return relation.requireWritePrivileges(Plans.seq(List.of(TableWritePrivilege.values())));\n",
        "    return relation;\n",
        corpus("write-merge-insert-only", "postgres-2023-39418-merge-inserts"),
    ),
    Mutant(
        "delete-has-a-safe-condition",
        java("guard/EarlyRule"),
        " || !SafePush.isSafe(filter.condition())) {\n",
        ") {\n",
        corpus("write-delete-by-a-function"),
    ),
    Mutant(
        "merge-by-identifier-is-no-insert",
        java("guard/EarlyRule"),
        "new Requiring(named.planBuilder())",
        "named.planBuilder()",
        corpus("write-merge-insert-only-by-identifier"),
    ),
    Mutant(
        "delete-by-identifier-is-filtered",
        java("guard/EarlyRule"),
        " && !(named instanceof PlanWithUnresolvedIdentifier)) {\n",
        ") {\n",
        corpus("write-delete-what-is-hidden-by-identifier"),
    ),
    Mutant(
        "insert-by-name-is-checked-by-name",
        java("guard/GuardRule"),
        "    if (table.capabilities().contains(TableCapability.ACCEPT_ANY_SCHEMA)) {\n",
        "    if (false) {\n",
        ("tests/integration/engine/test_row_changes.py::test_a_row_is_checked_by_the_names_of_its_values",),
    ),
    Mutant(
        "delete-is-filtered",
        java("guard/EarlyRule"),
        "new And(condition, filter.condition())",
        "filter.condition()",
        corpus("write-delete-what-is-visible", "kyuubi-3515-delete-what-is-hidden"),
    ),
    Mutant(
        "insert-is-checked",
        java("guard/RowCheck"),
        "    if (!satisfied) {\n",
        "    if (false) {\n",
        corpus("postgres-with-check"),
    ),
    Mutant(
        "insert-null-is-no-match",
        java("guard/RowCheck"),
        "new EqualNullSafe(condition, Literal$.MODULE$.TrueLiteral())",
        "new org.apache.spark.sql.catalyst.expressions.Not(new EqualNullSafe(condition, "
        "Literal$.MODULE$.FalseLiteral()))",
        corpus("postgres-with-check-null"),
    ),
    Mutant(
        "commands-are-asked-about",
        java("guard/CheckRule"),
        "        table.allowedNow(operation);\n",
        "",
        corpus("write-truncate-without-a-right", "write-alter-create-branch-without-a-right"),
    ),
    Mutant(
        "unguarded-is-refused",
        java("guard/CheckRule"),
        "    if (mark == null || !mark.session().equals(session.sessionUUID())) {\n",
        "    if (false) {\n",
        (
            (
                "tests/integration/engine/test_guard_reads.py"
                "::test_a_relation_that_nobody_has_guarded_is_refused"
            ),
        ),
    ),
    Mutant(
        "only-what-cannot-fail-goes-below",
        java("guard/SafePush"),
        "    return isOperand(condition) && condition.dataType() instanceof BooleanType;\n",
        "    return true;\n",
        corpus(
            "postgres-leaky-cast-in-where",
            "postgres-leaky-division-in-where",
            "postgres-leaky-raise-in-where",
        ),
    ),
    Mutant(
        "only-plain-operands-go-below",
        java("guard/SafePush"),
        "    return (isValue(expression) || isConstant(expression)) && isPlain(expression.dataType());\n",
        "    return true;\n",
        corpus("postgres-leaky-division-in-where", "postgres-leaky-cast-in-where"),
    ),
    # What is decided.
    Mutant(
        "rules-refuse-metadata",
        policy("decision_rules"),
        "        if restricts((*own, *read)):\n",
        "        if False:\n",
        corpus("kyuubi-7740-files-table"),
    ),
    Mutant(
        "rules-need-select",
        policy("decision_rules"),
        "        if unreadable and operation in _READING:\n",
        "        if False:\n",
        ("tests/unit/policy/test_decision_rules.py", "tests/unit/policy/test_decision_point.py"),
    ),
    Mutant(
        "rules-masks-stop-writes",
        policy("decision_rules"),
        "(operation in _FILTERED and policy.hides_values)",
        "False",
        ("tests/unit/policy/test_decision_rules.py", "tests/unit/policy/test_decision_point.py"),
    ),
    Mutant(
        "rules-any-policy-stops-rewrites",
        policy("decision_rules"),
        "        if operation in _WHOLE | _DISPOSING or (",
        "        if (",
        ("tests/unit/policy/test_decision_rules.py", "tests/unit/policy/test_decision_point.py"),
    ),
    Mutant(
        "rules-views-have-none",
        policy("decision_rules"),
        "if restricts(own) else _plain(sources)",
        "if False else _plain(sources)",
        ("tests/unit/policy/test_decision_rules.py", "tests/unit/policy/test_decision_point.py"),
    ),
    Mutant(
        "combine-filters-and",
        policy("combine"),
        '" AND ".join(f"({text})" for text in filters)',
        '" OR ".join(f"({text})" for text in filters)',
        ("tests/unit/policy/test_combine.py",),
    ),
    Mutant(
        "combine-unknown-columns",
        policy("combine"),
        "    raise SemanticError(f\"The table has no column '{name}', which a policy names.\")\n",
        "    return columns[0]\n",
        ("tests/unit/policy/test_combine.py",),
    ),
    Mutant(
        "combine-equal-masks-make-null",
        policy("combine"),
        "    if len(texts) == 1:\n        [(text, source)] = texts.items()\n        return text, source\n",
        "    return next(iter(texts.items()))\n",
        ("tests/unit/policy/test_combine.py",),
    ),
    Mutant(
        "combine-restricted-wins",
        policy("combine"),
        "tuple(column.name for column in columns if column.name in restricted)",
        "()",
        ("tests/unit/policy/test_combine.py",),
    ),
    Mutant(
        "point-asks-every-engine",
        policy("fan_out"),
        "        answers = self._each(lambda engine: engine.decide(principal, questions), deadline)\n",
        "        answers = self._each(lambda engine: self._engines[0].decide(principal, questions), deadline)\n",
        ("tests/unit/policy/test_decision_point.py",),
    ),
    Mutant(
        "point-keeps-by-person",
        policy("decision_point"),
        "        keys = [DecisionKey(identity, question) for question in questions]\n",
        '        keys = [DecisionKey("", question) for question in questions]\n',
        ("tests/unit/policy/test_decision_point.py",),
    ),
    Mutant(
        "point-keeps-by-roles",
        policy("decision_point"),
        "        principal.roles,\n        principal.groups,\n",
        "",
        ("tests/unit/policy/test_decision_point.py",),
    ),
    Mutant(
        "point-waits-no-longer",
        policy("fan_out"),
        "            return future.result(max(0.0, deadline - self._clock()))\n",
        "            return future.result()\n",
        ("tests/unit/policy/test_decision_point.py",),
    ),
    Mutant(
        "answers-know-versions",
        policy("decision_cache"),
        "        if cached.versions != versions or (",
        "        if (",
        ("tests/unit/policy/test_decision_cache.py", "tests/unit/policy/test_decision_point.py"),
    ),
    Mutant(
        "answers-end",
        policy("decision_cache"),
        " or (cached.until is not None and cached.until <= now):",
        ":",
        ("tests/unit/policy/test_decision_cache.py", "tests/unit/policy/test_decision_point.py"),
    ),
    Mutant(
        "errors-are-redacted",
        "src/sqe/service/query.py",
        "            error = redacted if self._watch.uses_protected_table(self.id) else failure\n",
        "            error = failure\n",
        ("tests/unit/service",),
    ),
    Mutant(
        "renames-ask-by-the-names-of-today",
        policy("current_names"),
        "    if not _renamed(columns):\n        return [question]\n",
        "    if True:\n        return [question]\n",
        ("tests/unit/policy/test_current_names.py",),
    ),
    Mutant(
        "file-broken-decides-nothing",
        policy("file/engine"),
        "            self._state = _Broken(error.message)\n",
        "            pass\n",
        ("tests/unit/policy/file/test_engine.py",),
    ),
    # What is the server's own.
    Mutant(
        "request-needs-its-proof",
        java("request/GatewayRequest"),
        "        || !RequestKey.proves(proof.asText(), session.sessionUUID(), name.asText(), argument.asText())) {\n",
        "        ) {\n",
        ("tests/integration/engine/test_requests.py::test_a_request_without_its_proof_is_refused",),
    ),
    Mutant(
        "tags-outlive-their-columns",
        java("guard/TableRequests"),
        "base.schemas().stream().noneMatch(each -> each.findField(Integer.parseInt(id)) != null)",
        "base.schema().findField(Integer.parseInt(id)) == null",
        ("tests/integration/engine/test_dropped_columns.py",),
    ),
    Mutant(
        "hash-has-a-key-of-its-own",
        java("guard/HashMask"),
        "      mac = keyed(new SecretKeySpec(derived, ALGORITHM));\n",
        "      mac = keyed(master);\n",
        corpus("internals-hashes-of-two-columns"),
    ),
    Mutant(
        "hash-is-keyed-by-table",
        java("guard/HashKeys"),
        "HashMask.ofColumn(resource.uuid(), each.fieldId())",
        'HashMask.ofColumn("", each.fieldId())',
        ("tests/integration/engine/test_hash_keys.py",),
    ),
    Mutant(
        "hash-key-is-shared-by-administrators",
        policy("governance/expression_checker"),
        "            self._check_shared_key(text, one_table=one_table)\n",
        "            pass\n",
        ("tests/unit/policy/governance/test_expression_checker.py",),
    ),
    Mutant(
        "current-user-is-the-person",
        java("SqeExtensions"),
        "    extensions.injectPostHocResolutionRule(session -> new CurrentUserRule((SparkSession) session));\n",
        "",
        corpus("internals-current-user"),
    ),
    Mutant(
        "engine-log-has-no-values",
        "src/sqe/engine/launcher/logs.py",
        "    event = _WITHOUT_VALUES if guarded else _WHOLE\n",
        "    event = _WHOLE\n",
        ("tests/integration/engine/test_engine_log.py",),
    ),
    Mutant(
        "file-is-read-before-each-decision",
        policy("file/engine"),
        "        self.refresh()\n        return self._state.version\n",
        "        return self._state.version\n",
        ("tests/unit/policy/file/test_engine.py",),
    ),
    Mutant(
        "cedar-is-read-before-each-decision",
        policy("cedar/engine"),
        "        self.refresh()\n        return self._version\n",
        "        return self._version\n",
        ("tests/unit/policy/cedar/test_engine.py",),
    ),
    Mutant(
        "files-that-just-changed-are-read-again",
        "src/sqe/common/file_stamp.py",
        "    if time_ns() - max(found.st_mtime_ns, found.st_ctime_ns) < _SETTLED_NS:\n",
        "    if False:\n",
        ("tests/unit/policy/cedar/test_files.py",),
    ),
    Mutant(
        "file-denies-first",
        policy("file/engine"),
        "            return Verdict(allow=False, source=rule.source)\n    if operation is Operation.LIST",
        "            break\n    if operation is Operation.LIST",
        ("tests/unit/policy/file/test_engine.py",),
    ),
    # Bounds of one expression and one plan.
    Mutant(
        "bounds-regex-stops",
        java("bounds/WatchedText"),
        "      Interrupts.check();\n",
        "",
        bounds("test_a_canceled_statement_frees_its_cores[regex]"),
    ),
    Mutant(
        "bounds-lambda-stops",
        java("bounds/ValueCheck"),
        "      Interrupts.check();\n",
        "",
        bounds("test_a_canceled_statement_frees_its_cores[aggregate]"),
    ),
    Mutant(
        "bounds-stack",
        java("bounds/Regexes"),
        "catch (StackOverflowError tooDeep)",
        "catch (ArithmeticException tooDeep)",
        bounds("test_an_expression_that_would_take_hours_is_refused[deep-regex]"),
    ),
    Mutant(
        "bounds-size",
        java("bounds/Allocation"),
        "    if (size > limit) {\n",
        "    if (size > limit && limit < 0) {\n",
        bounds("test_a_value_that_is_too_large_is_refused_before_it_is_made[hex]"),
    ),
    Mutant(
        "bounds-argument",
        java("bounds/ValueCheck"),
        "if (value instanceof Number number && Math.abs(number.doubleValue()) > limit) {",
        "if (value instanceof Number number && Math.abs(number.doubleValue()) < 0) {",
        bounds("test_a_value_that_is_too_large_is_refused_before_it_is_made[histogram_numeric]"),
    ),
    Mutant(
        "bounds-comparisons",
        java("bounds/SearchBounds"),
        "if (!hashed && each instanceof ArrayData array && array.numElements() > MAX_COMPARED) {",
        "if (!hashed && each instanceof ArrayData array && array.numElements() < 0) {",
        bounds("test_an_expression_that_would_take_hours_is_refused[sets]"),
    ),
    Mutant(
        "bounds-operands",
        java("bounds/ValueCheck"),
        "      if (bytes > limit) {\n",
        "      if (bytes < 0) {\n",
        bounds("test_a_value_that_is_too_large_is_refused_before_it_is_made[to_csv]"),
    ),
    Mutant(
        "bounds-formats",
        java("bounds/ValueCheck"),
        "if (value instanceof UTF8String text && text.numBytes() > limit) {",
        "if (value instanceof UTF8String text && text.numBytes() < 0) {",
        bounds("test_a_value_that_is_too_large_is_refused_before_it_is_made[option]"),
    ),
    Mutant(
        "bounds-collations",
        java("bounds/SearchBounds"),
        "return isCollated(expression) ? MAX_COMPARISONS / COLLATION_FACTOR : MAX_COMPARISONS;",
        "return MAX_COMPARISONS;",
        bounds("test_an_expression_that_would_take_hours_is_refused[instr-of-collation]"),
    ),
    Mutant(
        "bounds-canceled-analysis",
        java("bounds/Interrupts"),
        "if (Context.current().isCancelled()) {",
        "if (false) {",
        bounds("test_a_canceled_analysis_frees_its_core"),
    ),
    Mutant(
        "bounds-aliases",
        java("bounds/PlanBounds"),
        "if (depth[0] > MAX_ALIASES) {",
        "if (depth[0] < 0) {",
        bounds("test_a_statement_that_grows_while_it_is_planned_is_refused[lateral-aliases]"),
    ),
    Mutant(
        "bounds-types",
        java("bounds/PlanBounds"),
        "if (depth(type, 0) > MAX_TYPE_DEPTH) {",
        "if (depth(type, 0) < 0) {",
        bounds("test_a_statement_that_grows_while_it_is_planned_is_refused[type]"),
    ),
    # What one statement can do to the others.
    Mutant(
        "settings-have-ranges",
        java("kinds/Settings"),
        "      SettingValue.check(key, value.get(), verdict.detail(), verdict.what());\n",
        "",
        ("tests/integration/engine/test_isolation_of_queries.py",),
    ),
    Mutant(
        "hints-have-ranges",
        java("isolation/WorkLimits"),
        "      if (number > PARTITIONS) {\n",
        "      if (false) {\n",
        ("tests/integration/engine/test_isolation_of_queries.py",),
    ),
    Mutant(
        "a-replaced-engine-is-no-crash",
        "src/sqe/engine/launcher/supervisor.py",
        "            if code == _REPLACED:\n",
        "            if False:\n",
        ("tests/unit/engine/launcher/test_supervisor.py",),
    ),
)
