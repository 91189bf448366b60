"""Virtual tables, whose rows the gateway provides: `information_schema` and the catalog `system`."""
