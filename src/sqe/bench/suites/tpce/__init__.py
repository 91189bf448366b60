"""The read-mostly part of TPC-E: 24 of its 33 tables, with eleven queries of its read transactions."""
