"""Tables that no catalog has and the gateway answers itself: `information_schema` and the catalog `system`."""
