"""What the engine may ask the gateway: the catalogs of a session, and what acts for the person whose session it is."""
