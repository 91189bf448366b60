"""Arrow Flight, two doors: the shell's own (`wire`, `server`, `client`), and Flight SQL for everybody (`door`).

Flight SQL: `sql_server` takes the calls, `callers` lets people in, `handlers` has the tables of what can be asked,
`session` keeps what a client has set, `statements` and `prepared` run things, `flight_errors` translates errors.
"""
