"""Interface for sending a report, shared by collectors and probes.

The caller does not know the process's boot id or the next sequence number, so it passes a function that
builds the report from them. A report that cannot be built consumes no number.
"""

from collections.abc import Callable
from typing import Protocol
from uuid import UUID

from backstay_wire import Report

BuildReport = Callable[[UUID, int], Report]
"""(boot, seq) -> the report."""


class ReportSink(Protocol):
    """Send a report, as a rule within 30 ms.

    `urgent`: an event, which does not wait for the batch in flight. `can_wait`: nothing new, or nothing that
    anybody acts on; it leaves with the next report that cannot wait, as a rule the interval's counters.
    """

    def __call__(self, build: BuildReport, *, urgent: bool = False, can_wait: bool = False) -> None: ...
