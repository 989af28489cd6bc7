"""Who a device says is at the other end of its ports: the newest word of each of its sources.

An entry keeps the moment since which it stands, so that a cable that was moved is told from one that was only
told of again. A set also learns how often it is told, because that is how long it may be believed.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from backstay.core.wiring.evidence import LEAST_PERIOD_S
from backstay.core.wiring.identity import plain_mac
from backstay.telemetry.clock import Correction, moment
from backstay.telemetry.facts import Facts
from backstay.telemetry.models import AdjacencySet
from backstay_wire import AdjacencyReport, ForwardingReport

LONGEST_PERIOD_S = 3600.0
_IDENTITY = ("port", "peer", "peer_name", "peer_id", "peer_port")

Entry = dict[str, Any]


def apply_adjacencies(node: int, report: AdjacencyReport, correction: Correction, _: Facts) -> None:
    """Take over a device's neighbours from one source, unless something newer is known."""
    told = [each.model_dump(mode="json") for each in report.adjacencies]
    for entry in told:
        entry["peer_id"] = entry["peer_id"].casefold()
    _take(node, report.source, told, (report.at, correction))


def apply_forwarding(node: int, report: ForwardingReport, correction: Correction, _: Facts) -> None:
    """Take over a bridge's learnt addresses: a port with a single one has that neighbour and no bridge."""
    behind: dict[str, set[str]] = {}
    for entry in report.entries:
        mac = plain_mac(entry.mac)
        if mac:
            behind.setdefault(entry.port, set()).add(mac)
    known = Counter(mac for macs in behind.values() for mac in macs)
    told = [
        {"port": port, "peer": "", "peer_name": "", "peer_id": mac, "peer_port": "", "width": ""}
        for port, macs in sorted(behind.items())
        if len(macs) == 1 and known[mac := next(iter(macs))] == 1
    ]
    _take(node, "fdb", told, (report.at, correction))


def next_period(before_s: float, gap_s: float) -> float:
    """How often a source is told, seconds, after a gap of so many.

    Changes are told between the turns, so it is a minute at least; and a pause cannot make it long at once.
    """
    return max(min(gap_s, 2 * before_s, LONGEST_PERIOD_S), LEAST_PERIOD_S)


def _take(node: int, source: str, told: list[Entry], when: tuple[int, Correction]) -> None:
    at_ns, correction = when
    at, received = moment(correction.ours(at_ns)), moment(correction.received_ns)
    row = AdjacencySet.objects.select_for_update().filter(node_id=node, source=source).first()
    if row is not None and at <= row.at:
        return
    before = {} if row is None else {_identity(entry): entry["since"] for entry in row.entries}
    widths = set() if row is None else {(_identity(entry), entry["width"]) for entry in row.entries}
    for entry in told:
        entry["since"] = before.get(_identity(entry), at.isoformat())
    same = row is not None and widths == {(_identity(entry), entry["width"]) for entry in told}
    values: dict[str, Any] = {"at": at}
    if row is None:
        values["period_s"] = LEAST_PERIOD_S
    else:
        values["period_s"] = next_period(row.period_s, (at - row.at).total_seconds())
    if not same:
        values |= {"entries": told, "changed_at": received}
    AdjacencySet.objects.update_or_create(node_id=node, source=source, defaults=values)


def _identity(entry: Entry) -> tuple[str, ...]:
    return tuple(entry[key] for key in _IDENTITY)
