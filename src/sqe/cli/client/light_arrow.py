"""Import pyarrow without numpy and pandas.

pyarrow imports both if they are installed, and works without them. The shell never uses them, and their import would
take half of the time of `sqe -e "SELECT 1"`.
"""

from __future__ import annotations

import sys

_OPTIONAL = ("numpy", "pandas")


def import_light_arrow() -> None:
    """Import pyarrow as if the optional packages were not installed. Call it before anything else imports pyarrow."""
    if "pyarrow" in sys.modules:
        return
    hidden = [name for name in _OPTIONAL if name not in sys.modules]
    for name in hidden:
        sys.modules[name] = None  # type: ignore[assignment]  # makes the import fail, see importlib
    try:
        import pyarrow as pa
        import pyarrow.compute

        pa.array([])  # looks for pandas, once
    finally:
        for name in hidden:
            del sys.modules[name]
