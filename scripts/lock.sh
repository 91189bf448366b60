#!/bin/sh
# Write the exact versions and hashes of everything that is installed. `scripts/lock.sh --upgrade` takes newer ones.
set -eu
cd "$(dirname "$0")/.."
uv=$(command -v uv || echo .venv/bin/uv)
compile() {
    "$uv" pip compile --quiet --generate-hashes --universal --python-version 3.11 --no-emit-index-url \
        --custom-compile-command "make lock" "$@"
}
compile "$@" pyproject.toml --output-file requirements.txt
compile "$@" pyproject.toml --group dev --constraints requirements.txt --output-file requirements-dev.txt
compile "$@" --group build --constraints requirements-dev.txt --output-file requirements-build.txt
