"""The policy language: statements about access, and the expressions of row filters and masks."""
