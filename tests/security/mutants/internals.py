"""Clauses that protect the server's own data: requests, tags, keys of hashes, logs, files of policies."""

from __future__ import annotations

from tests.security.mutants.mutant import Mutant, corpus, java, policy

INTERNALS: tuple[Mutant, ...] = (
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
        "    // The tags of a column that was dropped stay:",
        "    tags.keySet().removeIf(id -> base.schema().findField(Integer.parseInt(id)) == null);\n    //",
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
)
