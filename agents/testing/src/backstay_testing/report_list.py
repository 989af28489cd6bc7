"""A sink that keeps reports in memory: for tests of collectors and probes."""

from uuid import uuid4

from backstay_agent.report_sink import BuildReport
from backstay_wire import Report


class ReportList(list[Report]):
    """The reports in the order of their sending; see `ReportSink`."""

    def __call__(self, build: BuildReport, *, urgent: bool = False, can_wait: bool = False) -> None:
        """Append one report."""
        self.append(build(uuid4(), len(self) + 1))
