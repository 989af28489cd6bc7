"""Which reports of a batch may be stored: one check after the other, each refusal with its reason. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import attrgetter

from backstay.telemetry.clock import SECOND, Correction
from backstay.telemetry.store import Key
from backstay_wire import PortSamples, Rejection, RejectionCode, Report


@dataclass(frozen=True, slots=True)
class Admitted:
    """A report that may be stored, with its place in the batch and its device's id."""

    index: int
    report: Report
    node: int

    @property
    def key(self) -> Key:
        """What the ledger knows it by, beside the agent."""
        return self.report.boot, self.report.seq


@dataclass(frozen=True, slots=True)
class Door:
    """What the checks need to know."""

    devices: Mapping[str, int]
    """Node ids of the devices assigned to the agent, by name."""
    correction: Correction
    kept_from_ns: int
    """Reports from before this are no longer kept."""


Check = Callable[[Report, Door], str | None]
"""The reason why a report is not admitted; None when it is."""


def _foreign(report: Report, door: Door) -> str | None:
    if report.device in door.devices:
        return None
    return f"{report.device} is not assigned to this agent"


def _future(report: Report, door: Door) -> str | None:
    if not door.correction.is_future(report.at):
        return None
    ahead_s = (door.correction.ours(report.at) - door.correction.received_ns) / SECOND
    return f"{ahead_s:.0f} s ahead; at most 600 s are accepted"


def _expired(report: Report, door: Door) -> str | None:
    if door.correction.ours(report.at) >= door.kept_from_ns:
        return None
    return "older than the samples that are kept"


_COLUMNS = (
    "in_octets",
    "out_octets",
    "in_packets",
    "out_packets",
    "in_errors",
    "out_errors",
    "in_discards",
    "out_discards",
    "in_peak",
    "out_peak",
    "outcome",
)
_columns = attrgetter(*_COLUMNS)  # One call in C for all of them: this runs for every report.


def _malformed(report: Report, _: Door) -> str | None:
    """What a column cannot say by itself: one value for each port, and each port once."""
    if not isinstance(report, PortSamples):
        return None
    count = len(report.ports)
    if len(set(report.ports)) != count:
        return "ports: a name stands there twice"
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


def admit(reports: Iterable[tuple[int, Report]], door: Door) -> tuple[list[Admitted], list[Rejection]]:
    """Those that pass every check, and why the others do not. The same report twice counts once."""
    admitted: list[Admitted] = []
    rejected: list[Rejection] = []
    seen: set[Key] = set()
    for index, report in reports:
        refusal = _refusal(report, door)
        if refusal is None and (report.boot, report.seq) in seen:
            refusal = RejectionCode.DUPLICATE, "twice in this batch"
        if refusal is None:
            seen.add((report.boot, report.seq))
            admitted.append(Admitted(index, report, door.devices[report.device]))
        else:
            rejected.append(Rejection(index=index, code=refusal[0], reason=refusal[1]))
    return admitted, rejected


def _refusal(report: Report, door: Door) -> tuple[RejectionCode, str] | None:
    for code, check in CHECKS.items():
        reason = check(report, door)
        if reason is not None:
            return code, reason
    return None
