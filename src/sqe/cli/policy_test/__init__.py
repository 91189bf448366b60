"""The implementation of `sqe policy test`: cases, their outcome, and the gateway that runs them."""
