#!/bin/sh
# Make the Python of Flight's and Flight SQL's messages with the pinned protoc. `scripts/proto.sh DIRECTORY` puts it elsewhere.
set -eu
cd "$(dirname "$0")/.."
folder=src/sqe/frontends/flight/proto
out=${1:-$folder}
"${PYTHON:-.venv/bin/python}" -m grpc_tools.protoc --proto_path="$folder" --python_out="$out" --pyi_out="$out" \
    "$folder/Flight.proto" "$folder/FlightSql.proto"
