"""The policy engine `grants`: privileges and policies that were written in SQL, kept in a database."""
