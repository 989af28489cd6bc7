"""Determines when the device took a reading: growth must be divided by *that* time.

Many agents answer from a cache: net-snmp renews its ifTable every 3 s on a timer of its own (measured: a poll
each 2 s sees 0, then 150 %, of the true rate). Neither sysUpTime nor our request time helps, because both are
taken when the reply is built, not when the counters were read. Observing the changes of the cache does help:

* A device whose counters differ between two consecutive requests answers live (our own packets alone ensure
  that): the reading is as old as the request, midway between request and reply.
* Otherwise, a small request for the busiest counters is repeated around the moment at which the cache is due
  to change. The reading's time is the middle between the last unchanged reply and the first changed one, with
  at most 15 ms error once the period is known. A poll waits for the next change, so samples follow the
  device's rhythm, and their rates are right.
* If nothing changes at all, nothing flows: growth is zero over the time of the polls.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from backstay_agent.host.clock import Clock
from backstay_agent.host.snmp.readings import Readings
from backstay_agent.host.snmp.values import Oid

Read = Callable[[Sequence[Oid]], Awaitable[Readings]]

_MS = 1_000_000
_COARSE_NS = 50 * _MS
_FINE_NS = 30 * _MS
_AHEAD_NS = 90 * _MS
"""Start looking for an expected change this long before it is due."""
_FIRST_LOOK_NS = 4_000 * _MS
"""Maximum wait for the first change of an unknown cache: more than net-snmp's 3 s."""
_LONGEST_NS = 16_000 * _MS
"""Maximum wait for the second change: net-snmp's longest default cache is 15 s; slower changes mean an idle
device."""
_ASSUMED_NS = 3_000 * _MS
"""Assumed age of a cache of unknown period."""
_SENTINELS = 8
_SLOW_NS = 200 * _MS
"""A slower reading was lost and retried, or had to wait: the time at which it was taken is unknown."""
_BLUR = 10
"""A reading is used only if the error of its time is at most 1/_BLUR of the interval that it ends."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Counter values, and when the device read them (monotonic, within `slack_ns`)."""

    values: Readings
    at_ns: int
    slack_ns: int


def _is_blurred(snapshot: Snapshot, last: Snapshot) -> bool:
    """Whether the growth since `last` has no usable time span: the next reading includes it."""
    return 2 * snapshot.slack_ns > _SLOW_NS and snapshot.slack_ns * _BLUR > snapshot.at_ns - last.at_ns


class SnapshotReader:
    """Readings of one device with the time at which each was taken."""

    def __init__(
        self,
        read: Read,
        clock: Clock,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._read = read
        self._clock = clock
        self._sleep = sleep
        self._last: Snapshot | None = None
        self._of: Sequence[Oid] = ()
        """The objects of the last reading."""
        self._seen_ns = 0
        """When the last reading was last seen unchanged."""
        self._live: bool | None = None
        self._idle = False
        self._edge_ns: int | None = None
        self.period_ns: int | None = None
        """Time between two changes of the device's cache, once known."""

    async def take(self, oids: Sequence[Oid]) -> Snapshot:
        """A reading of `oids`. May wait for the device's cache to change; the reading's time never goes back,
        and does not change while there is nothing new."""
        snapshot = await self._now(oids)
        moved = self._last is None or self._last.values != snapshot.values
        if self._live is None:
            snapshot = await self._first_look(oids, snapshot)
        elif self._live and self._last is not None and oids is self._of and _is_blurred(snapshot, self._last):
            return self._last
        elif self._live:
            # A live device without change for a whole interval may have begun to cache: poll again.
            self._live = True if moved else None
        elif moved:
            snapshot = await self._lock(oids, snapshot)
        else:
            snapshot = await self._expect(oids, snapshot)
        self._last, self._of = snapshot, oids
        return snapshot

    def forget(self) -> None:
        """The device restarted: discard the learnt period."""
        self._last = self._live = self._edge_ns = self.period_ns = None

    async def _now(self, oids: Sequence[Oid]) -> Snapshot:
        """A reading; a slow one is repeated once, and the better of the two is used."""
        first = await self._once(oids)
        if 2 * first.slack_ns <= _SLOW_NS:
            return first
        return min(first, await self._once(oids), key=lambda item: item.slack_ns)

    async def _once(self, oids: Sequence[Oid]) -> Snapshot:
        before = self._clock.monotonic_ns()
        values = await self._read(oids)
        after = self._clock.monotonic_ns()
        return Snapshot(values, (before + after) // 2, (after - before) // 2)

    async def _first_look(self, oids: Sequence[Oid], first: Snapshot) -> Snapshot:
        """Live if two consecutive pairs of replies differ; one pair may straddle a change of the cache."""
        second = await self._now(oids)
        third = await self._now(oids)
        self._live = second.values not in (first.values, third.values)
        return third if self._live else await self._lock(oids, third)

    async def _lock(self, oids: Sequence[Oid], snapshot: Snapshot) -> Snapshot:
        """The cache changed between our requests. Wait for its next change; if the period is not known yet,
        for the next two."""
        patience = _FIRST_LOOK_NS if self.period_ns is None else 2 * self.period_ns
        self._idle = False
        self._seen_ns = snapshot.at_ns
        for _ in range(2):
            give_up = self._clock.monotonic_ns() + patience
            changed = await self._change(oids, snapshot.values, give_up)
            if changed is None:
                return self._nothing_new(snapshot)
            if self.period_ns is not None:
                return changed
            again = await self._now(oids)
            if again.values != changed.values:
                self._live = True
                return again
            snapshot, patience = changed, _LONGEST_NS
        return snapshot

    async def _expect(self, oids: Sequence[Oid], snapshot: Snapshot) -> Snapshot:
        """Nothing has changed since the last reading: poll around the time when the cache is due."""
        self._seen_ns = snapshot.at_ns
        due = self._due()
        if due is None or self.period_ns is None or self._idle:
            return self._nothing_new(snapshot)
        # A busy device may be late; traffic counts as stopped only after another whole period.
        changed = await self._change(oids, snapshot.values, due + self.period_ns)
        return changed if changed is not None else self._nothing_new(snapshot)

    def _nothing_new(self, snapshot: Snapshot) -> Snapshot:
        """Nothing flows, according to the cache, which is one period behind."""
        self._idle = True
        at = self._seen_ns - (self.period_ns or _ASSUMED_NS)
        if self._last is not None and at <= self._last.at_ns:
            return Snapshot(snapshot.values, self._last.at_ns, self._last.slack_ns)
        return Snapshot(snapshot.values, at, 0)

    async def _change(self, oids: Sequence[Oid], values: Readings, give_up: int) -> Snapshot | None:
        """Wait until the busiest counters differ from `values`; None if that takes until `give_up`."""
        sentinels = self._sentinels(oids, values)
        due = self._due()
        while self._clock.monotonic_ns() < give_up:
            await self._pause(due)
            look = await self._now(sentinels)
            if any(look.values.get(oid) != values.get(oid) for oid in sentinels):
                at, slack = self._edge(look, due)
                whole = await self._now(oids)
                self._seen_ns = whole.at_ns
                return Snapshot(whole.values, at, slack)
            self._seen_ns = look.at_ns
        return None

    def _sentinels(self, oids: Sequence[Oid], values: Mapping[Oid, int]) -> list[Oid]:
        """The counters that grew most recently: if any changes, these do."""
        old: Mapping[Oid, int] = self._last.values if self._last is not None else {}
        present = [oid for oid in oids if oid in values]
        return sorted(present, key=lambda oid: values[oid] - old.get(oid, 0), reverse=True)[:_SENTINELS]

    def _due(self) -> int | None:
        if self._edge_ns is None or self.period_ns is None:
            return None
        periods = max(1, -(-(self._seen_ns - self._edge_ns) // self.period_ns))
        return self._edge_ns + periods * self.period_ns

    async def _pause(self, due: int | None) -> None:
        now = self._clock.monotonic_ns()
        if due is None:
            wait = _COARSE_NS
        elif now < due - _AHEAD_NS:
            wait = due - _AHEAD_NS - now
        else:
            wait = _FINE_NS if now < due + 2 * _AHEAD_NS else _COARSE_NS
        await self._sleep(wait / 1e9)

    def _edge(self, look: Snapshot, due: int | None) -> tuple[int, int]:
        """(time of the observed change, its uncertainty); refines the period."""
        window = look.at_ns - self._seen_ns
        at = self._seen_ns + window // 2
        if due is not None and window > 4 * _COARSE_NS:
            # It arrived while we waited for it, so a little early: closer than the middle of the window.
            at = min(max(due, self._seen_ns), look.at_ns)
        if self._edge_ns is not None:
            between = at - self._edge_ns
            if self.period_ns is None:
                self.period_ns = between if between <= _LONGEST_NS else None
            else:
                observed = between // max(1, round(between / self.period_ns))
                self.period_ns += (observed - self.period_ns) // 4
        self._edge_ns = at
        return at, window // 2
