"""Arrow Flight: the server side that a gateway opens and the client side that the shell uses."""
