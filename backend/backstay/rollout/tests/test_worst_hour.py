"""The hour of the last 30 days in which most was carried, from roll-ups."""

from __future__ import annotations

from datetime import timedelta

import pytest

from backstay.core.errors import Invalid
from backstay.inventory.models import Node
from backstay.rollout.capacity.worst_hour import worst_hour
from backstay.telemetry.tests.test_rollups import NOW, finish, insert, layout_of, node

__all__ = ["node"]
"""A fixture: a switch of two ports."""
pytestmark = pytest.mark.slow
STEP_S = 60.0


def sampled(node: Node, busy_h: float, days: float = 1.0) -> None:
    """Minutes of the first port up to NOW; one hour, `busy_h` hours ago, carries more."""
    number = round(days * 86_400 / STEP_S)
    ends = [NOW.timestamp() - STEP_S * (number - place - 1) for place in range(number)]
    ago = [NOW.timestamp() - end - busy_h * 3600 for end in ends]
    rows = [[10_000_000 if 0 <= past < 3600 else 1_000_000, 0] for past in ago]
    insert(layout_of(node), ends, STEP_S, rows)
    finish()


def test_worst_hour_is_the_end_of_the_busiest_one(node: Node) -> None:
    start = NOW.replace(minute=0, second=0, microsecond=0)
    busy_h = (NOW - start).total_seconds() / 3600 + 5
    sampled(node, busy_h)
    assert worst_hour(node.site, NOW) == start - timedelta(hours=5)


def test_site_without_history_says_so(node: Node) -> None:
    with pytest.raises(Invalid, match="No hour of the last 30 days is stored"):
        worst_hour(node.site, NOW)
