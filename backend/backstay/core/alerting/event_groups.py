"""Events with one cause, or of one object at about the same time, as one sentence.

`grf1 lost carrier: 7 paths rerouted to atmgw, at most 300 ms lost, restored`. The times are values of the
group; clients show them in the reader's time zone.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from backstay.core.formatting import count, listing, milliseconds
from backstay.core.model.state import State


@dataclass(frozen=True, slots=True)
class Cause:
    """The root incident of a group."""

    id: int
    text: str
    """What happened: `grf1 lost all links`; without a phrase of its rule, the incident's title."""
    severity: State
    """Of its worst incident."""


@dataclass(frozen=True, slots=True)
class EventGroup:
    """What a group's events add up to. Paths are counted once, however often they moved.

    While the group lasts, `rerouted` and `dead` count the paths that are so now, like the incident's title.
    """

    key: str
    """Names the group in requests for its events."""
    events: int
    start: datetime
    end: datetime | None
    """None: ongoing."""
    first_at: datetime
    last_at: datetime
    """Of the oldest and the newest event."""
    worst: State
    kinds: tuple[str, ...]
    message: str
    """Of the newest event."""
    rerouted: int = 0
    """Paths that left their gateway for a less preferred one."""
    dead: int = 0
    """Paths that lost their route or their target, and were not rerouted or died after it."""
    paths: int = 0
    affected: int = 0
    """Paths whose newest event in the group is not a return to normal; once a cause has ended, those with
    such an event since."""
    gateway: str = ""
    """The gateway that the paths left or were dead on."""
    onto: tuple[str, ...] = ()
    """Gateways that took over."""
    ports: int = 0
    ports_down: int = 0
    """Ports, and those of them whose newest event is `port.down`."""
    node: str = ""
    """The only node of the events, if there is one."""
    outage_ms: float | None = None
    """The longest measured outage of a path."""
    cause: Cause | None = None

    @property
    def is_ongoing(self) -> bool:
        return self.end is None

    @property
    def state(self) -> State:
        """The worst severity while it lasts; ok once everything is restored."""
        worst = self.worst if self.cause is None else worse(self.worst, self.cause.severity)
        if self.is_ongoing:
            return worst
        if self.cause is not None:
            return worst if self.affected else "ok"
        is_restored = (self.paths or self.ports) and not self.affected and not self.ports_down
        return "ok" if is_restored else self.worst

    @property
    def title(self) -> str:
        """What happened, in at most one clause."""
        if self.cause is not None:
            # Only a state is "is": `grf1 lost all links` stays.
            return self.cause.text if self.is_ongoing else self.cause.text.replace(" is ", " was ", 1)
        if self.events == 1:
            return self.message
        if self.paths:
            return self._moved()
        if self.ports:
            went = "went down" if self.ports_down == self.ports else "went down and up"
            return f"{count(self.ports, 'port')} of {self.node or 'several nodes'} {went}"
        return self.message

    @property
    def detail(self) -> str:
        """The effects, separated by commas; empty for a single event."""
        if self.cause is None and self.events == 1:
            return ""
        parts = self._effects() if self.paths or self.ports else []
        if self.cause is not None and not parts and not self.is_ongoing:
            parts.append("resolved")
        return ", ".join(parts) or count(self.events, "event")

    def _moved(self) -> str:
        if self.rerouted:
            return f"{count(self.rerouted, 'path')} left {self.gateway or 'their gateway'}"
        if self.dead:
            return f"{count(self.dead, 'path')} via {self.gateway or 'no gateway'} dead"
        return f"{count(self.paths, 'path')} back on {self.gateway or 'their gateway'}"

    def _effects(self) -> list[str]:
        parts = []
        lost = f"at most {milliseconds(self.outage_ms)} lost" if self.outage_ms else ""
        if self.dead:
            parts.append(f"{count(self.dead, 'path')} dead")
        if self.rerouted:
            onto = f" to {listing(self.onto)}" if self.onto else ""
            # While paths are dead, only the rerouted ones have a measured outage.
            lost_by_these = f" with {lost}" if lost and self.dead and self.is_ongoing else ""
            parts.append(f"{count(self.rerouted, 'path')} rerouted{onto}{lost_by_these}")
        if self.ports and not self.paths and self.cause is not None:
            parts.append(f"{count(self.ports, 'port')} down")
        if lost and not (self.dead and self.is_ongoing):
            parts.append(lost)
        return [*parts, *self._recovery()]

    def _recovery(self) -> list[str]:
        if self.cause is not None and not self.is_ongoing:
            return [f"{self.affected} not restored"] if self.affected else ["restored"]
        if self.paths:
            back = self.paths - self.affected
            if self.is_ongoing:
                return [f"{count(back, 'path')} restored"] if back else []
            if self.affected:
                return [f"{self.affected} not restored"] if back else []
            return ["restored"] if self.rerouted or self.dead else []
        if not self.ports:
            return []
        return [f"{self.ports_down} still down"] if 0 < self.ports_down < self.ports else self._ports_back()

    def _ports_back(self) -> list[str]:
        return ["restored"] if not self.ports_down else []


_RANK: dict[State, int] = {"ok": 0, "disabled": 1, "unknown": 2, "warning": 3, "critical": 4}


def worse(one: State, other: State) -> State:
    """The worse of two states."""
    return max(one, other, key=_RANK.__getitem__)
