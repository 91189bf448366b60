"""The policy engine `grants`: privileges and policies from SQL statements, stored in a database."""
