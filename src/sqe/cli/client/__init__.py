"""The connection of the command to a gateway, and the results that it fetches."""
