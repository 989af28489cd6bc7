"""Numbers reports: (boot, seq) makes each one unique for ever, so resending one is harmless."""

import logging
from collections.abc import Callable
from uuid import UUID

from pydantic import ValidationError

from backstay_agent.logs import event
from backstay_agent.report_sink import BuildReport
from backstay_agent.uplink.spool import Held, Spool

_log = logging.getLogger(__name__)


class Outbox:
    """Stamps reports and puts them into the spool. An instance is a ReportSink."""

    def __init__(self, spool: Spool, boot: UUID) -> None:
        self._spool = spool
        self._boot = boot
        self._next = 1
        self.on_report: Callable[[Held, bool], None] | None = None
        """Called with each spooled record and whether it is urgent."""

    @property
    def made(self) -> int:
        """Reports made since start."""
        return self._next - 1

    def __call__(self, build: BuildReport, *, urgent: bool = False) -> None:
        """See ReportSink. A report that does not validate is logged and not sent: its producer has a bug."""
        try:
            report = build(self._boot, self._next)
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False)[0]
            event(_log, logging.ERROR, "report does not fit the wire", kind=error.title, problem=first)
            return
        self._next += 1
        held = self._spool.append(report.model_dump_json().encode())
        if held is None:
            event(_log, logging.ERROR, "report lost: no room on disk", dropped=self._spool.dropped)
        elif self.on_report is not None:
            self.on_report(held, urgent)
