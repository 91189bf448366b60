"""`sqe policy test`: cases, their outcome, and the gateway that they run on."""
