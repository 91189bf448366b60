"""Ten queries of TPCx-BB that are plain SQL, on the tables that they need."""
