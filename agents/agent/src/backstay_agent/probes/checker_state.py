"""State of the checker and the moves across restarts: one small file, times in wall nanoseconds.

The kernel's state takes precedence over this file, which adds since when a gateway is active, which ones
flap, and which moves are in progress. If the clock was set meanwhile, nothing exceeds its own limit.
"""

import logging
from collections.abc import Callable
from pathlib import Path

from pydantic import BaseModel, ValidationError

from backstay_agent.failover.damping import Damper
from backstay_agent.failover.types import ActiveGateway, Trial, TrialState
from backstay_agent.host.clock import Clock
from backstay_agent.host.files import atomic_write
from backstay_agent.logs import event

_log = logging.getLogger(__name__)


class StoredDamper(BaseModel):
    """See Damper."""

    failures: int
    last_ns: int
    until_ns: int


class StoredTrial(BaseModel):
    """See Trial."""

    home: str
    since_ns: int
    until_ns: int
    left: tuple[str, ...] = ()


class StoredTrialState(BaseModel):
    """See TrialState."""

    count: int = 0
    last_ns: int = 0
    next_ns: int = 0


class StoredActiveGateway(BaseModel):
    """See ActiveGateway."""

    gateway: str
    since_ns: int
    switched_ns: int | None = None
    moved_to: str = ""
    home: str = ""
    dampers: dict[str, StoredDamper] = {}
    trial: StoredTrial | None = None
    tries: StoredTrialState = StoredTrialState()


class StoredMove(BaseModel):
    """An accepted move; `until_ns` None: it is over and is not started again."""

    route: str = ""
    """`policy prefix`."""
    until_ns: int | None = None


class Stored(BaseModel):
    """The file."""

    leads: dict[str, StoredActiveGateway] = {}
    """By `policy prefix`."""
    moves: dict[str, StoredMove] = {}


class StateFile:
    """The file, read once and written on each change."""

    def __init__(self, path: Path | None, clock: Clock) -> None:
        """`path` None: nothing is persisted."""
        self._path = path
        self._clock = clock
        self.stored = _read(path) if path else Stored()

    def lead(self, key: str) -> ActiveGateway | None:
        """The stored lead of a policy, in monotonic times; None: nothing."""
        found = self.stored.leads.get(key)
        if found is None:
            return None
        monotonic = self._monotonic()
        now = self._clock.monotonic_ns()
        return ActiveGateway(
            gateway=found.gateway,
            since_ns=min(now, monotonic(found.since_ns)),
            switched_ns=None if found.switched_ns is None else min(now, monotonic(found.switched_ns)),
            moved_to=found.moved_to,
            home=found.home,
            dampers={name: _damper(damper, now, monotonic) for name, damper in found.dampers.items()},
            trial=_trial(found.trial, now, monotonic),
            tries=_tries(found.tries, now, monotonic),
        )

    def keep_lead(self, key: str, lead: ActiveGateway) -> None:
        """Store a lead."""
        wall = self._wall()
        dampers = {
            name: StoredDamper(
                failures=damper.failures, last_ns=wall(damper.last_ns), until_ns=wall(damper.until_ns)
            )
            for name, damper in lead.dampers.items()
        }
        self.stored.leads[key] = StoredActiveGateway(
            gateway=lead.gateway,
            since_ns=wall(lead.since_ns),
            switched_ns=None if lead.switched_ns is None else wall(lead.switched_ns),
            moved_to=lead.moved_to,
            home=lead.home,
            dampers=dampers,
            trial=_stored_trial(lead.trial, wall),
            tries=_stored_tries(lead.tries, wall),
        )
        self.write()

    def write(self) -> None:
        """Write the file without syncing: losing it costs little, waiting for a disk costs probes."""
        if self._path is None:
            return
        try:
            atomic_write(self._path, self.stored.model_dump_json().encode(), durable=False)
        except OSError as error:
            event(_log, logging.WARNING, "cannot store the failover's state", error=error)

    def _wall(self) -> Callable[[int], int]:
        offset = self._clock.wall_ns() - self._clock.monotonic_ns()
        return lambda at: at + offset

    def _monotonic(self) -> Callable[[int], int]:
        offset = self._clock.monotonic_ns() - self._clock.wall_ns()
        return lambda at: at + offset


def _damper(stored: StoredDamper, now: int, monotonic: Callable[[int], int]) -> Damper:
    last = min(now, monotonic(stored.last_ns))
    return Damper(stored.failures, last, last + max(0, stored.until_ns - stored.last_ns))


def _trial(stored: StoredTrial | None, now: int, monotonic: Callable[[int], int]) -> Trial | None:
    if stored is None:
        return None
    since = min(now, monotonic(stored.since_ns))
    return Trial(stored.home, since, since + max(0, stored.until_ns - stored.since_ns), stored.left)


def _stored_trial(trial: Trial | None, wall: Callable[[int], int]) -> StoredTrial | None:
    if trial is None:
        return None
    since, until = wall(trial.since_ns), wall(trial.until_ns)
    return StoredTrial(home=trial.home, since_ns=since, until_ns=until, left=trial.left)


def _tries(stored: StoredTrialState, now: int, monotonic: Callable[[int], int]) -> TrialState:
    last = min(now, monotonic(stored.last_ns))
    return TrialState(stored.count, last, last + max(0, stored.next_ns - stored.last_ns))


def _stored_tries(tries: TrialState, wall: Callable[[int], int]) -> StoredTrialState:
    return StoredTrialState(count=tries.count, last_ns=wall(tries.last_ns), next_ns=wall(tries.next_ns))


def _read(path: Path) -> Stored:
    try:
        return Stored.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return Stored()
    except (OSError, ValidationError) as error:
        event(_log, logging.WARNING, "the failover's stored state is not usable", error=type(error).__name__)
        return Stored()
