"""A real streaming standby, in use by this process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from bench import databases
from bench.databases import PrivateStandby
from bench.stores.standby_in_use import commits, in_use, probed

LIMIT_S = 5.0
"""Of the lag: generous for a busy machine; tests in which the standby must be late set a short one."""


@pytest.fixture
def standby(transactional_db: None, settings: Any) -> Iterator[PrivateStandby]:
    """Found able to serve."""
    settings.READ_DB_LAG_S = LIMIT_S
    primary = Path(connection.settings_dict["HOST"])
    with commits("on"), databases.standby(primary) as running, in_use(running.folder):
        assert probed().serves
        yield running
