"""Clauses of the policy engines and the decision point."""

from __future__ import annotations

from tests.security.mutants.mutant import Mutant, corpus, policy

DECISIONS: tuple[Mutant, ...] = (
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
)
