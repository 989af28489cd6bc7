"""The holds of this node on disk: they survive the agent and a reboot, and can be set without either.

`backstay-agent hold` and the running agent both write the file, each under a lock. A hold counts on
CLOCK_BOOTTIME; after a reboot, when BOOTTIME cannot be compared, on the wall clock, but never for longer than
was left when the file was last written.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from backstay_agent.host.files import atomic_write, stamp
from backstay_agent.host.locks import held
from backstay_wire.base import Message

FILE = "holds.json"
_LOCK = "holds.lock"


class Moment(Message):
    """One moment on all clocks that a hold counts on."""

    boot_id: str
    boot_ns: int
    """CLOCK_BOOTTIME."""
    wall_ns: int


class Hold(Message):
    """One hold."""

    id: str
    origin: Literal["backend", "node"]
    by: str
    reason: str = ""
    seconds: float
    began_ns: int
    """Wall time."""
    written: Moment
    left_ns: int
    """What was left of it at `written`."""
    applied: bool = False
    """The agent has left the routes alone since."""

    def left(self, now: Moment) -> int:
        """Nanoseconds until it ends, at least 0."""
        if now.boot_id == self.written.boot_id:
            return max(0, self.left_ns - max(0, now.boot_ns - self.written.boot_ns))
        return max(0, min(self.left_ns, self.left_ns - (now.wall_ns - self.written.wall_ns)))

    def rewritten(self, now: Moment) -> "Hold":
        """The same, counted from `now`."""
        return self.model_copy(update={"left_ns": self.left(now), "written": now})

    def until_ns(self, now: Moment) -> int:
        """Wall time of its end."""
        return now.wall_ns + self.left(now)


class Holds(Message):
    """The file."""

    holds: tuple[Hold, ...] = ()
    ended: tuple[str, ...] = ()
    """Assigned holds that have ended here but are still assigned: they do not begin again."""

    def without(self, ident: str) -> "Holds":
        """All but one."""
        return self.model_copy(update={"holds": tuple(hold for hold in self.holds if hold.id != ident)})

    def with_(self, hold: Hold) -> "Holds":
        """One added or replaced."""
        return self.without(hold.id).model_copy(update={"holds": (*self.without(hold.id).holds, hold)})


class HoldFileError(Exception):
    """The file cannot be read as holds; the message says what to do."""


class HoldFile:
    """The file in an agent's state folder."""

    def __init__(self, state: Path) -> None:
        self._path = state / FILE
        self._lock = state / _LOCK

    @property
    def version(self) -> object:
        """Differs after each write; None without a file."""
        return stamp(self._path)

    def read(self) -> Holds:
        """Raises OSError, HoldFileError."""
        try:
            return Holds.model_validate_json(self._path.read_bytes())
        except FileNotFoundError:
            return Holds()
        except ValidationError as error:
            raise HoldFileError(f"{self._path} is damaged: remove it, then hold the node again") from error

    def update(self, change: Callable[[Holds], Holds]) -> Holds:
        """Read, change and write durably, under the lock; returns what was written. Raises OSError,
        HoldFileError."""
        with held(self._lock):
            before = self.read()
            after = change(before)
            if after != before:
                atomic_write(self._path, after.model_dump_json().encode())
            return after
