"""Validation of a batch's reports, with the reason for each rejection. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from uuid import UUID

from backstay.telemetry.ingest import limits
from backstay.telemetry.ingest.clock import SECOND, Correction
from backstay.telemetry.ingest.store import METRICS, Key
from backstay_wire import PortSamples, Rejection, RejectionCode, Report


@dataclass(frozen=True, slots=True)
class AcceptedReport:
    """A report that may be stored: with its index in the batch, its device's id and its agent."""

    index: int
    report: Report
    node: int
    agent: UUID

    @property
    def key(self) -> Key:
        """Key in the ledger, within the agent."""
        return self.report.boot, self.report.seq


@dataclass(frozen=True, slots=True)
class ReportValidator:
    """Decides which reports of one batch are accepted."""

    agent: UUID
    devices: Mapping[str, int]
    """Node ids of the devices assigned to the agent, by name."""
    correction: Correction
    kept_from_ns: int
    """Retention limit: older reports are rejected."""

    def validate(self, reports: Iterable[tuple[int, Report]]) -> tuple[list[AcceptedReport], list[Rejection]]:
        """Return accepted and rejected reports. A repeated report is accepted once."""
        accepted: list[AcceptedReport] = []
        rejected: list[Rejection] = []
        seen: set[Key] = set()
        for index, report in reports:
            refusal = self._refusal(report)
            if refusal is None and (report.boot, report.seq) in seen:
                refusal = RejectionCode.DUPLICATE, "twice in this batch"
            if refusal is None:
                seen.add((report.boot, report.seq))
                accepted.append(AcceptedReport(index, report, self.devices[report.device], self.agent))
            else:
                rejected.append(Rejection(index=index, code=refusal[0], reason=refusal[1]))
        return accepted, rejected

    def _refusal(self, report: Report) -> tuple[RejectionCode, str] | None:
        for code, check in CHECKS.items():
            reason = check(report, self)
            if reason is not None:
                return code, reason
        return None


Check = Callable[[Report, ReportValidator], str | None]
"""The reason why a report is rejected, or None."""


def _foreign(report: Report, validator: ReportValidator) -> str | None:
    if report.device in validator.devices:
        return None
    return f"{report.device} is not assigned to this agent"


def _future(report: Report, validator: ReportValidator) -> str | None:
    correction = validator.correction
    if not correction.is_future(report.at):
        return None
    ahead_s = (correction.ours(report.at) - correction.received_ns) / SECOND
    return f"{ahead_s:.0f} s ahead; at most 600 s are accepted"


def _expired(report: Report, validator: ReportValidator) -> str | None:
    if validator.correction.ours(report.at) >= validator.kept_from_ns:
        return None
    return "older than the samples that are kept"


_COLUMNS = (*METRICS, "outcome")
_columns = attrgetter(*_COLUMNS)  # One call in C for all of them: this runs for every report.


def _malformed(report: Report, _: ReportValidator) -> str | None:
    """Checks size and columns: one value per port, and each port once."""
    if not isinstance(report, PortSamples):
        return limits.excess(report)
    count = len(report.ports)
    if len(set(report.ports)) != count:
        return "ports: a name occurs twice"
    for name, column in zip(_COLUMNS, _columns(report), strict=True):
        if column is not None and len(column) != count:
            return f"{name}: {len(column)} values for {count} ports"
    return None


CHECKS: dict[RejectionCode, Check] = {
    RejectionCode.FOREIGN: _foreign,
    RejectionCode.MALFORMED: _malformed,
    RejectionCode.FUTURE: _future,
    RejectionCode.EXPIRED: _expired,
}
