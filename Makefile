# Everything runs in .venv, which the targets make when they need it: exact versions, checked by hash.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
SHELL := /bin/sh

BIN := .venv/bin
UNIT_WORKERS ?= 2
PYTEST_ARGS ?=
LOCK_ARGS ?=
LOAD_ARGS ?=
SMALL_ARGS ?=
THROUGHPUT_ARGS ?=
IDENTITY_ARGS ?=
SESSIONS_ARGS ?=
POLICY_ARGS ?=
MUTATE_ARGS ?=
BENCH_ARGS ?=
PARITY_URL ?= http://127.0.0.1:8080
SUITES ?= ../suites
SUITE ?=

.PHONY: help
help: ## Show this list
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  \033[1m%-12s\033[0m %s\n", $$1, $$2}' $(MAKEFILE_LIST)

##@ Use
.PHONY: demo
demo: venv ## Create an Iceberg table, restart the engine, query the table again (WAREHOUSE=path)
	@scripts/demo.sh $(WAREHOUSE)

.PHONY: setup
setup: venv ## Fetch and build the engine's parts ahead of the first start
	$(BIN)/sqe setup

.PHONY: bench-start
bench-start: venv ## Measure cold and warm starts
	$(BIN)/sqe bench start

.PHONY: bench-load
bench-load: venv ## Let 100 clients ask for a minute at both front ends of a server of its own
	$(BIN)/python -m bench.load $(LOAD_ARGS)

.PHONY: bench-small
bench-small: venv ## Measure CPU time, latency and throughput of small queries (SMALL_ARGS)
	$(BIN)/python -m bench.small $(SMALL_ARGS)

.PHONY: bench-throughput
bench-throughput: venv ## Measure large results at both front ends, beside PySpark's own client
	$(BIN)/python -m bench.throughput $(THROUGHPUT_ARGS)

.PHONY: bench-identity
bench-identity: venv ## Measure logins, the way of a token to the catalog, and idle sessions, on the real services
	$(BIN)/python -m bench.identity $(IDENTITY_ARGS)

.PHONY: bench-policy
bench-policy: venv ## Measure TPC-H without the guard, with it, and with policies on four tables
	$(BIN)/python -m bench.policy $(POLICY_ARGS)

.PHONY: soak-sessions
soak-sessions: venv ## Open and close 1,000 sessions, and see what they leave behind
	$(BIN)/python -m bench.sessions $(SESSIONS_ARGS)
	$(BIN)/python -m bench.sessions --rest $(SESSIONS_ARGS)

.PHONY: stack
stack: venv ## Start Keycloak, MinIO, Nessie, OPA and (SQE_TEST_POLARIS) Polaris, and say how to use them
	$(BIN)/python -m stack

##@ Develop
.PHONY: test
test: venv ## All checks and all tests
	@# The services of the last tests take minutes to build: that is begun now, and waited for when they are needed.
	@$(BIN)/python -m stack prepare --nice >/dev/null 2>&1 &
	$(MAKE) -j2 --output-sync=target archive check
	$(MAKE) unit
	@# Several at a time: a suite is one client, which uses less than a core, and those of the gateway and of the
	@# identity services wait more than they work. The four longest begin together, so that none of them is alone at the
	@# end. What watches memory has the machine to itself afterwards.
	$(MAKE) -j4 --output-sync=target engine security gateway identity conformance bench-ci parity executor matrix java-test
	SQE_ENGINE__JAVA_OPTIONS='[]' $(BIN)/python -m pytest tests/integration -m by_itself $(PYTEST_ARGS)

.PHONY: test-quick
test-quick: venv ## The inner loop: checks, unit tests, and one server with a smoke test at each front end
	$(MAKE) -j3 --output-sync=target check smoke unit

.PHONY: smoke
smoke: venv ## One server with a smoke test at each front end
	$(BIN)/python -m pytest tests/integration/test_server.py -m smoke $(PYTEST_ARGS)

.PHONY: conformance
conformance: venv ## Every client at the front ends of a server
	$(BIN)/python -m pytest tests/conformance $(PYTEST_ARGS)

.PHONY: parity
parity: venv ## Trino's answers, case by case
	$(BIN)/python -m pytest tests/parity $(PYTEST_ARGS)

.PHONY: executor
executor: venv ## Every form of the local executor on edge values, and random queries, with Spark's answers
	$(BIN)/python -m pytest tests/executor $(PYTEST_ARGS)

.PHONY: executor-differential
executor-differential: venv ## The same at length: 20,000 random queries (SQE_TEST_SEED=first seed)
	SQE_TEST_AT_LENGTH=1 $(BIN)/python -m pytest tests/executor $(PYTEST_ARGS)

.PHONY: parity-record
parity-record: venv ## Record the answers of a real Trino 476 (PARITY_URL)
	PYTHONPATH=.:src $(BIN)/python -m tests.parity.record $(PARITY_URL)

.PHONY: client-suites
client-suites: venv ## The suites of trino-python-client, dbt-trino and ibis, from checkouts (SUITES=directory)
	PYTHONPATH=.:src PYTEST_ARGS="$(PYTEST_ARGS)" $(BIN)/python -m tests.suites $(SUITES) $(SUITE)

.PHONY: matrix
matrix: venv ## The cells of the public Iceberg matrix, read back with PyIceberg and DuckDB
	$(BIN)/python -m pytest tests/matrix $(PYTEST_ARGS)

.PHONY: security
security: services ## The bypasses of others, random queries under random policies, faults
	$(BIN)/python -m pytest tests/security $(PYTEST_ARGS)

.PHONY: engine
engine: venv ## The engine and the guard in it
	$(BIN)/python -m pytest tests/integration/engine -m "not by_itself" $(PYTEST_ARGS)

.PHONY: identity
identity: services ## Every query as its user, on the real services
	$(BIN)/python -m pytest tests/integration/identity -m "not by_itself" $(PYTEST_ARGS)

.PHONY: gateway
gateway: services ## The other tests that need an engine
	$(BIN)/python -m pytest tests/integration --ignore tests/integration/engine --ignore tests/integration/identity \
		-m "not by_itself" $(PYTEST_ARGS)

.PHONY: services
services: venv ## Fetch and build the services of the tests
	$(BIN)/python -m stack prepare

.PHONY: leaks
leaks: venv ## What hidden rows could do, at every place, under every policy
	SQE_TEST_AT_LENGTH=1 $(BIN)/python -m pytest tests/integration/engine/test_barrier_leaks.py $(PYTEST_ARGS)

.PHONY: histories
histories: services ## Random histories of columns at length, with every policy engine
	SQE_TEST_AT_LENGTH=1 $(BIN)/python -m pytest tests/security/test_history_decisions.py tests/security/test_histories.py tests/security/test_engines.py -k "history" $(PYTEST_ARGS)

.PHONY: bench-ci
bench-ci: venv ## Every statement of every benchmark suite, small, with DuckDB's answers
	$(BIN)/python -m pytest tests/bench $(PYTEST_ARGS)

.PHONY: tpc
tpc: venv ## TPC-H and TPC-DS in Trino's spelling with DuckDB's answers, all queries at scale 1
	$(BIN)/sqe bench run tpch --engine sqe-trino $(BENCH_ARGS)
	$(BIN)/sqe bench run tpcds --engine sqe-trino $(BENCH_ARGS)

.PHONY: bench-compare
bench-compare: venv ## TPC-H and TPC-DS on SQE, bare Spark, Trino 476 and DuckDB in turns (BENCH_ARGS="--scale 1")
	$(BIN)/sqe bench compare tpch $(BENCH_ARGS)
	$(BIN)/sqe bench compare tpcds $(BENCH_ARGS)

.PHONY: writers
writers: venv ## Eight clients that change one table for a minute
	SQE_TEST_AT_LENGTH=1 $(BIN)/python -m pytest -s tests/integration/test_trino_sql.py -k eight_writers $(PYTEST_ARGS)

.PHONY: mutate
mutate: venv ## Remove each clause of the guard in turn, and show which test goes red (MUTATE_ARGS=--list)
	PYTHONPATH=.:src $(BIN)/python -m tests.security.mutation $(MUTATE_ARGS)

.PHONY: unit
unit: venv ## The tests that need no Spark
	$(BIN)/python -m pytest tests/unit -n $(UNIT_WORKERS) $(PYTEST_ARGS)

.PHONY: archive
archive: venv ## Fetch the engine, and make the archive of its classes
	@# An engine without it takes four times the work to start, and the tests start dozens.
	$(BIN)/sqe setup --wait

.PHONY: java-test
java-test: venv ## The tests of the Java part that need no Spark session
	PYTHONPATH=.:src $(BIN)/python -m tests.support.java_tests

.PHONY: check
check: venv ## Lint, format, types and import arrows
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

.PHONY: format
format: venv ## Format the code and repair what can be repaired
	$(BIN)/ruff check --fix-only
	$(BIN)/ruff format

.PHONY: docs
docs: venv ## Write the pages that are made from code: docs/reference, docs/clients.md, docs/iceberg-matrix.md, docs/local-executor.md
	$(BIN)/python -c 'from pathlib import Path; from sqe.reference import write_pages; write_pages(Path("docs/reference"))'
	PYTHONPATH=.:src $(BIN)/python -m tests.conformance.page
	PYTHONPATH=.:src $(BIN)/python -m tests.matrix.page
	PYTHONPATH=.:src $(BIN)/python -m tests.executor.rendered_forms

.PHONY: protocol
protocol: venv ## Write the names of the control protocol as constants for the Java part
	$(BIN)/python -c 'from pathlib import Path; from sqe.control import protocol; Path("spark-guard/src/main/java/sqe/spark/identity/Protocol.java").write_text(protocol.java_source())'

.PHONY: proto
proto: venv ## Make the Python of Flight's messages from their .proto files
	scripts/proto.sh

##@ Maintain
.PHONY: venv
venv: ## Make or renew .venv
	@scripts/venv.sh

.PHONY: lock
lock: ## Write the exact versions and hashes (LOCK_ARGS=--upgrade for newer ones; needs uv)
	scripts/lock.sh $(LOCK_ARGS)

.PHONY: clean
clean: ## Remove .venv and what tools leave behind
	rm -rf .venv dist build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
