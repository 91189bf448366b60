from __future__ import annotations

import stat
from pathlib import Path

from stack.properties import write_properties


def test_what_means_something_is_escaped_and_nobody_else_can_read_it(tmp_path: Path) -> None:
    file = tmp_path / "some.properties"
    write_properties(file, {"a.b": "role == 'alice' && x", 'f."G"': '["S3"]', "c d": "back\\slash"})
    assert file.read_text() == 'a.b=role == \'alice\' && x\nf."G"=["S3"]\nc\\ d=back\\\\slash\n'
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
