"""Shared by tests, benchmarks and the stack: run `sqe` as a process, connect clients, create certificates.

Nothing here imports `tests`, `bench` or `stack`.
"""
