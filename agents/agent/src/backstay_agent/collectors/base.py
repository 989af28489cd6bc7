"""The interface of every collector: runs on demand and returns its outcome.

The runner measures the run and turns errors into outcomes:

    CollectError            a run that yields no metrics, with its outcome
    ├── NoAnswerError            TIMEOUT: the source did not answer in time
    └── UnusableError            FAILED: it answered, but not with usable data

Any other exception is FAILED too, and is logged with its location.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from backstay_wire import CollectorOutcome, TableReading


class CollectError(Exception):
    """A run that yields no metrics."""

    outcome = CollectorOutcome.FAILED


class NoAnswerError(CollectError):
    """The source did not answer in time."""

    outcome = CollectorOutcome.TIMEOUT


class UnusableError(CollectError):
    """The source's answer is unusable."""


@dataclass(frozen=True, slots=True)
class Ran:
    """A successful run; NO_DATA if there was nothing to report."""

    outcome: CollectorOutcome = CollectorOutcome.OK
    detail: str = ""


def ran_with(unparsed: Sequence[str]) -> Ran:
    """A run that reported everything but these entries."""
    if not unparsed:
        return Ran()
    return Ran(detail=f"Not understood: {len(unparsed)}, the first is {unparsed[0]}"[:1024])


class Collector(Protocol):
    """One periodic source of one device."""

    name: str
    """As in the wire's CollectorReport: linux, linux-state, snmp, bird."""
    device: str
    interval_s: float
    """Time between two runs."""
    limit_s: float
    """A run that takes longer is a TIMEOUT."""

    async def start(self) -> None:
        """Called once, before the first run; a failure counts as a failed run and is retried."""

    async def collect(self) -> Ran:
        """Read once and emit the results. Raises CollectError."""

    async def stop(self) -> None:
        """Called once, after the last run."""


@runtime_checkable
class TableCollector(Protocol):
    """A collector that reads tables, whether or not its last run failed."""

    def table_readings(self) -> Sequence[TableReading]:
        """The newest read of each table, at most MAX_TABLES."""
