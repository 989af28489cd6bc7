"""A neighbour table that is nearly full: one finding a device and family."""

from __future__ import annotations

from backstay.alerts.finding import Finding, Verdict
from backstay.alerts.models import Incident, Rule
from backstay.alerts.selectors.situation import Situation
from backstay.core.diagnosis.neighbours import CRITICAL, Limits, filling_up
from backstay.core.formatting import share
from backstay.core.thresholds import TABLE_CLEARS_BELOW, TABLE_NEARLY_FULL
from backstay.telemetry.neighbour_watch import FAMILIES
from backstay.telemetry.selectors.neighbours import WatchNow, watches

CALLED = {"ipv4": "ARP", "ipv6": "IPv6 neighbour"}


def evaluate(situation: Situation, rule: Rule, present: dict[str, Incident]) -> Verdict:
    """Tables at 70 % of their capacity, until they are below 60 %; a silent device's is not judged."""
    limits = Limits(
        raise_at=float(rule.parameters.get("raise_at", TABLE_NEARLY_FULL)),
        clear_at=float(rule.parameters.get("clear_at", TABLE_CLEARS_BELOW)),
    )
    findings, undecided = [], set()
    for watch in watches(situation.site, nodes_of(present)):
        for family in FAMILIES:
            fingerprint = f"neighbour_table:{watch.node_id}:{family}"
            used = sum(getattr(table, family) for table in watch.tables.values())
            if not situation.is_fresh(watch.node_id):
                undecided.add(fingerprint)
            elif filling_up(used, watch.capacity.get(family), limits, firing=fingerprint in present):
                findings.append(_finding(fingerprint, watch, (family, used), limits))
    return Verdict(tuple(findings), frozenset(undecided))


def nodes_of(present: dict[str, Incident]) -> list[int]:
    """The nodes of the incidents that there are: they are judged until they are over."""
    return [incident.node_id for incident in present.values() if incident.node_id is not None]


def _finding(fingerprint: str, watch: WatchNow, of: tuple[str, int], limits: Limits) -> Finding:
    family, used = of
    capacity = watch.capacity[family]
    filled = used / capacity
    port, table = max(watch.tables.items(), key=lambda item: getattr(item[1], family))
    refused = watch.overflows.get(family, 0)
    lost = f" {refused:,} more found no room just now." if refused else ""
    return Finding(
        fingerprint=fingerprint,
        severity="critical" if filled >= CRITICAL or refused else "warning",
        subject=watch.node,
        title=f"{watch.node}: {CALLED[family]} table {share(filled)} full, {used:,} of {capacity:,} entries",
        detail=f"{getattr(table, family):,} of them at {port}.{lost} When it is full, no new address is"
        f" reached. Clears below {share(limits.clear_at)}.",
        since=watch.at,
        node_id=watch.node_id,
        value=filled,
        threshold=limits.raise_at,
    )
