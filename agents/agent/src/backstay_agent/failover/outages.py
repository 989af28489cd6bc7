"""Outages of one watched path: each keeps one id from its first report to its measured end.

An outage is a run of lost end-to-end probes around a switch, or one that is long enough for the target to
count as unreachable; without a target it is the time without a route. Times are monotonic nanoseconds.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from backstay_agent.failover.history import Run

Cause = Literal["target_dead", "switch", "no_route"]
_RANK: tuple[Cause, ...] = ("target_dead", "switch", "no_route")
"""A later cause prevails: it is what an operator sees as well."""
_KEPT = 16


@dataclass(frozen=True, slots=True)
class Outage:
    """One outage; `duration_ns` None: ongoing; `lost_probes` None: measured by route events."""

    id: UUID
    since_ns: int
    duration_ns: int | None
    lost_probes: int | None
    cause: Cause


def prevailing(causes: list[Cause]) -> Cause:
    """The cause of an outage for which all of these hold; target_dead for none."""
    return max(causes, key=_RANK.index, default="target_dead")


class OutageIds:
    """Ids and causes of the newest runs of lost probes; a run is known by its first probe's time."""

    def __init__(self, new_id: Callable[[], UUID]) -> None:
        self._new_id = new_id
        self._known: dict[int, tuple[UUID, Cause]] = {}

    def outage(self, run: Run, cause: Cause, until_ns: int | None = None) -> Outage:
        """The outage of this run; `until_ns`: when the probe that ended it was sent."""
        known = self._known.get(run.first_sent_ns)
        ident = self._new_id() if known is None else known[0]
        cause = cause if known is None else prevailing([known[1], cause])
        self._known[run.first_sent_ns] = (ident, cause)
        while len(self._known) > _KEPT:
            del self._known[min(self._known)]
        duration = None if until_ns is None else max(until_ns - run.first_sent_ns, 1)
        return Outage(ident, run.first_sent_ns, duration, run.lost, cause)


class RouteOutage:
    """The time without a route of a path without a target to probe."""

    def __init__(self, new_id: Callable[[], UUID]) -> None:
        self._new_id = new_id
        self.ongoing: Outage | None = None

    def observe(self, has_route: bool, now_ns: int) -> list[Outage]:
        """The route was removed or installed; returns an outage that began or ended."""
        before = self.ongoing
        if has_route == (before is None):
            return []
        if before is None:
            self.ongoing = Outage(self._new_id(), now_ns, None, None, "no_route")
            return [self.ongoing]
        self.ongoing = None
        duration = max(now_ns - before.since_ns, 1)
        return [Outage(before.id, before.since_ns, duration, None, "no_route")]
