"""Columns that a table no longer has, and the reader of a view."""

from __future__ import annotations

from tests.security.mutants.mutant import Mutant, corpus, java

HISTORY: tuple[Mutant, ...] = (
    Mutant(
        "names-of-dropped-columns",
        "src/sqe/policy/current_names.py",
        "return list(dict.fromkeys((column.name, *column.former)))",
        "return [column.name]",
        ("tests/unit/policy/test_current_names.py",),
    ),
    Mutant(
        "names-compared-as-one",
        "src/sqe/policy/current_names.py",
        "names.setdefault(column.name.casefold(), []).extend(_snapshot_names(column, columns))",
        "names[column.name.casefold()] = _snapshot_names(column, columns)",
        ("tests/unit/policy/test_current_names.py",),
    ),
    Mutant(
        "masks-by-two-names",
        "src/sqe/policy/current_names.py",
        "strongest_mask([masks[name], mask]) if name in masks else mask",
        "masks.get(name, mask)",
        ("tests/unit/policy/test_current_names.py",),
    ),
    Mutant(
        "past-in-metadata",
        "src/sqe/policy/decision_rules.py",
        "        if hidden := _hidden_past(question, verdicts):\n",
        "        if hidden := ():\n",
        ("tests/unit/policy/test_decision_rules.py",),
    ),
    Mutant(
        "past-in-writes",
        "src/sqe/policy/decision_rules.py",
        "        if hidden and operation is not Operation.SELECT:\n",
        "        if False:\n",
        ("tests/unit/policy/test_decision_rules.py",),
    ),
    Mutant(
        "past-in-renames",
        "src/sqe/policy/decision_rules.py",
        "whole = resource.metadata is not None or question.operation in _WITH_HISTORY",
        "whole = resource.metadata is not None",
        ("tests/unit/policy/test_decision_rules.py",),
    ),
    Mutant(
        "past-in-paths",
        "src/sqe/model/decision.py",
        "bool(self.restricted) or self.hides_paths",
        "bool(self.restricted)",
        ("tests/unit/policy/test_decision_rules.py",),
    ),
    Mutant(
        "past-is-sent",
        java("guard/PolicyCatalogGuard"),
        "        TableFacts.past(schema, stored),\n",
        "        List.of(),\n",
        corpus("internals-past-past-files", "internals-past-rename"),
    ),
    Mutant(
        "past-of-partitions",
        java("guard/TableFacts"),
        "boolean inPaths = TypeUtil.indexById(Types.StructType.of(field)).keySet().stream().anyMatch(paths::contains);",
        "boolean inPaths = false;",
        corpus("internals-past-file", "internals-past-update"),
    ),
    Mutant(
        "past-of-removed-schemas",
        java("guard/TableFacts"),
        "int last = operated.operations().current().lastColumnId();",
        "int last = 0;",
        corpus("internals-past-expired-files", "internals-expired-rename"),
    ),
    Mutant(
        "reader-of-a-view",
        "src/sqe/sql/trino/statements/create_view.py",
        "    editor.context.stored = True\n    editor.query(reader.index)\n",
        "    editor.query(reader.index)\n",
        ("tests/unit/sql/trino/statements",),
    ),
)
