"""What every collector is: something that runs on demand and returns its outcome.

The runner measures the run and turns errors into outcomes:

    CollectError            a run that yields no metrics, with its outcome
    ├── NoAnswerError            TIMEOUT: the source did not answer in time
    └── UnusableError            FAILED: it answered, but not what we can work with

Any other exception is FAILED too, and is logged with its place.
"""

from dataclasses import dataclass
from typing import Protocol

from backstay_wire import CollectorOutcome


class CollectError(Exception):
    """A run that yields no metrics."""

    outcome = CollectorOutcome.FAILED


class NoAnswerError(CollectError):
    """The source did not answer in time."""

    outcome = CollectorOutcome.TIMEOUT


class UnusableError(CollectError):
    """The source answered what we cannot work with."""


@dataclass(frozen=True, slots=True)
class Ran:
    """A run that went as it should; NO_DATA when there was nothing to see."""

    outcome: CollectorOutcome = CollectorOutcome.OK
    detail: str = ""


class Collector(Protocol):
    """One periodic source of one device."""

    name: str
    """As the wire's CollectorReport shows it: linux, linux-state, snmp, bird."""
    device: str
    interval_s: float
    """Time between two runs."""
    limit_s: float
    """A run that takes longer is a TIMEOUT."""

    async def start(self) -> None:
        """Called once, before the first run; a failure counts as a failed run and is tried again."""

    async def collect(self) -> Ran:
        """Look once, and emit what was seen. Raises CollectError."""

    async def stop(self) -> None:
        """Called once, after the last run."""
