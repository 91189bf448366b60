"""Clauses about names, and about the directories of tables."""

from __future__ import annotations

from tests.security.mutants.mutant import GUARD_NAMES, Mutant, corpus, java

NAMES: tuple[Mutant, ...] = (
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
)
