from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from sqe.config.schema import Config
from sqe.locations import Locations
from sqe.server import Gateway


def test_no_door_to_the_network_where_clients_may_act_as_anybody(tmp_path: Path) -> None:
    locations = Locations(tmp_path, tmp_path, tmp_path)
    with pytest.raises(ValueError, match="somebody else"):
        Gateway(Config(), locations, tmp_path, cast(Any, object()), stand_ins=True)
