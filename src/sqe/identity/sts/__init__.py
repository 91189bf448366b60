"""Requests to an AWS-compatible STS, and the credentials it returns."""
