"""The messages of Flight and Flight SQL.

The `.proto` files are Apache Arrow's, Apache License 2.0, as of Arrow Java 19.0.0, with the one later field
`ActionCreatePreparedStatementResult.is_update` (apache/arrow#49498). `make proto` makes the Python from them.
"""
