#!/bin/sh
# Make or renew .venv, with exactly what the requirements files pin, and this project in it. Needs Python >= 3.11 and its
# venv and pip, or uv. Does nothing when it is up to date.
set -eu
cd "$(dirname "$0")/.."
stamp=.venv/.made-from

wanted=$(cat pyproject.toml requirements-build.txt requirements-dev.txt | cksum)
if [ -x .venv/bin/sqe ] && [ "$(cat $stamp 2>/dev/null)" = "$wanted" ]; then
    exit 0
fi

python=
for candidate in "${PYTHON:-}" python3 python3.13 python3.12 python3.11; do
    if [ -n "$candidate" ] &&
        "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ]; then
    echo "SQE needs Python 3.11 or newer; install one, or name it: PYTHON=/path/to/python3 make venv" >&2
    exit 1
fi

with_uv() {
    uv venv --quiet --clear --python "$("$python" -c 'import sys; print(sys.executable)')" .venv &&
        uv pip install --quiet --python .venv/bin/python --require-hashes -r requirements-build.txt &&
        uv pip sync --quiet --python .venv/bin/python --require-hashes --no-build-isolation requirements-dev.txt &&
        uv pip install --quiet --python .venv/bin/python --no-deps --no-build-isolation --editable .
}

with_pip() {
    "$python" -m venv --clear .venv &&
        .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes \
            -r requirements-build.txt &&
        .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes \
            --no-build-isolation -r requirements-dev.txt &&
        .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation \
            --editable .
}

echo "Making .venv; the first time this fetches about 600 MB, most of it Spark ..." >&2
if command -v uv >/dev/null 2>&1 && with_uv; then
    :
elif with_pip; then # also when uv failed: pip may know a mirror that uv does not
    :
else
    echo "The virtual environment could not be made; the reason is above." >&2
    exit 1
fi
echo "$wanted" >$stamp
