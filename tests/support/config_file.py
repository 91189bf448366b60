"""Write configuration files for tests."""

from __future__ import annotations

from pathlib import Path


def write_config(path: Path, text: str) -> Path:
    """Write a file that may hold secrets."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o600)
    return path
