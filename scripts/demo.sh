#!/bin/sh
# A first look: make an Iceberg table, stop the engine, start it again, and find the rows where they were.
# Usage: scripts/demo.sh [WAREHOUSE]; the default warehouse of the demo is ~/.sqe/demo.
set -eu
cd "$(dirname "$0")/.."
warehouse=${1:-${HOME}/.sqe/demo}
sqe() {
    .venv/bin/sqe "$@"
}
say() {
    if [ -t 1 ]; then printf '\n\033[1m%s\033[0m\n' "$*"; else printf '\n%s\n' "$*"; fi
}

say "0. Put the engine's parts in place (the first time this fetches its jars)"
sqe setup

say "1. Create an Iceberg table in ${warehouse} and fill it"
sqe --warehouse "$warehouse" --stop-on-error -e "
CREATE OR REPLACE TABLE trips (id BIGINT, city STRING, km DOUBLE, day DATE) USING iceberg;
INSERT INTO trips VALUES
  (1, 'Delft', 3.2, DATE '2025-05-01'),
  (2, 'Leiden', 18.5, DATE '2025-05-01'),
  (3, 'Delft', 7.9, DATE '2025-05-02'),
  (4, 'Utrecht', 61.0, DATE '2025-05-03');
"

say "2. Query it"
sqe --warehouse "$warehouse" -e "SELECT city, count(*) AS trips, round(sum(km), 1) AS km FROM trips GROUP BY city ORDER BY city"

say "3. Stop the engine; the next statement starts a new one"
sqe engine stop

say "4. The rows have survived, and so has the table's history"
sqe --warehouse "$warehouse" -e "SELECT * FROM trips ORDER BY id"
sqe --warehouse "$warehouse" -e "SELECT snapshot_id, operation FROM default.trips.snapshots ORDER BY committed_at"

rows=$(sqe --warehouse "$warehouse" --format csv -e "SELECT count(*) AS n FROM trips" | tail -n 1)
if [ "$rows" != 4 ]; then
    echo "The table should have 4 rows and has '$rows'." >&2
    exit 1
fi
say "It works. Now try: ./sqe --warehouse ${warehouse}"
