"""SQL macros that rendered plans use. They are defined in every database before a plan runs in it."""

from __future__ import annotations

# Divides whole numbers and rounds halves away from zero, as Spark divides decimals. The remainder is compared with the
# rest of the divisor, because twice the remainder may be too large for a HUGEINT. NULL comes before the check for zero,
# as in Spark.
_DIV_HALF_UP = """
CREATE MACRO sqe_div_half_up(n, d) AS CASE
  WHEN n IS NULL OR d IS NULL THEN NULL
  WHEN d = 0 THEN error('division by zero')
  ELSE n::HUGEINT // d::HUGEINT + CASE
    WHEN abs(n::HUGEINT % d::HUGEINT) >= abs(d::HUGEINT) - abs(n::HUGEINT % d::HUGEINT)
    THEN sign(n::HUGEINT) * sign(d::HUGEINT) ELSE 0 END
END
"""

MACROS = (_DIV_HALF_UP,)
