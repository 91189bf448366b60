"""Bounds of one expression and one plan."""

from __future__ import annotations

from tests.security.mutants.mutant import Mutant, bounds, java

BOUNDS: tuple[Mutant, ...] = (
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
        "if (each instanceof ArrayData array && array.numElements() > most) {",
        "if (each instanceof ArrayData array && array.numElements() < 0) {",
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
    # What one row, one comparison and one frame may take.
    Mutant(
        "bounds-slow-readers",
        java("bounds/BoundedFunctions"),
        "      if (!WEIGHED.contains(name) && !SLOW.containsKey(name)) {",
        "      if (!WEIGHED.contains(name) || SLOW.containsKey(name)) {",
        bounds("test_a_value_that_is_too_large_is_refused_before_it_is_made[from_json]"),
    ),
    Mutant(
        "bounds-xml-tags",
        java("bounds/ValueCheck"),
        "if (tags > limit) {",
        "if (tags < 0) {",
        bounds("test_a_value_that_is_too_large_is_refused_before_it_is_made[from_xml]"),
    ),
    Mutant(
        "bounds-collated-text",
        java("bounds/Bounds"),
        "return inChain || !isCollated(bounded) || parent instanceof CheckedValue ? bounded",
        "return true ? bounded",
        bounds("test_a_value_that_is_too_large_is_refused_before_it_is_made[collation]"),
    ),
    Mutant(
        "bounds-collated-translate",
        java("bounds/SearchBounds"),
        "          check(name(), searched, limit);\n          check(name(), searched *",
        "          check(name(), 0 *",
        bounds("test_an_expression_that_would_take_hours_is_refused[translate-of-collation]"),
    ),
    Mutant(
        "bounds-collated-list",
        java("bounds/SearchBounds"),
        "collated ? product(values[1], values[1]) : 0",
        "0",
        bounds("test_an_expression_that_would_take_hours_is_refused[find_in_set-of-collation]"),
    ),
    Mutant(
        "canceled-sorts",
        java("isolation/InterruptibleLoops"),
        "Expression key = Bounds.watched(first.child());",
        "Expression key = first.child();",
        bounds("test_a_canceled_sort_frees_its_core"),
    ),
)
