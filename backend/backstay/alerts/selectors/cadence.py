"""How often expensive facts are read: metric histories change once a minute, rounds are more frequent."""

from __future__ import annotations

from datetime import datetime

_last: dict[tuple[str, int], datetime] = {}
"""(rule, site) -> when this process last evaluated it."""


def is_due(rule: str, site_id: int, now: datetime, every_s: float) -> bool:
    """Whether `every_s` seconds have passed in this process; a clock that was set back counts as due.

    So does the same moment: a rule is evaluated several times in it, once for each set of its parameters.
    """
    last = _last.get((rule, site_id))
    if last is not None and 0 < (now - last).total_seconds() < every_s:
        return False
    _last[rule, site_id] = now
    return True


def forget() -> None:
    """For tests: everything is due."""
    _last.clear()
