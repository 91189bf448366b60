"""Statements about access: who may write them, what they change, what they show."""
