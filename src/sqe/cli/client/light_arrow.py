"""Import pyarrow without numpy and pandas.

pyarrow imports both when they are installed, and does without them when they are not. They come with the engine, the
shell never uses them, and together they would take half of the time of `sqe -e "SELECT 1"`.
"""

from __future__ import annotations

import sys

_OPTIONAL = ("numpy", "pandas")


def import_light_arrow() -> None:
    """Import pyarrow as if the optional packages were not there; to be called before anything else imports it."""
    if "pyarrow" in sys.modules:
        return
    hidden = [name for name in _OPTIONAL if name not in sys.modules]
    for name in hidden:
        sys.modules[name] = None  # type: ignore[assignment]  # what makes an import fail, see importlib
    try:
        import pyarrow as pa
        import pyarrow.compute

        pa.array([])  # looks for pandas, once
    finally:
        for name in hidden:
            del sys.modules[name]
