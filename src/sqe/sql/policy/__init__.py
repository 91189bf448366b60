"""The policy language: parse the statements about access, and the expressions of row filters and masks."""
