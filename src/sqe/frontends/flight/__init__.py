"""Arrow Flight: the shell's private protocol (`wire`, `server`, `client`), and Flight SQL (`sql_endpoint`).

Flight SQL: `sql_server` takes the calls, `call_authenticator` authenticates them, `handlers` dispatches commands and
actions, `session` holds the clients' state, `statements` and `prepared` run statements, `flight_errors` translates
errors.
"""
