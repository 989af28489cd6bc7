"""Circuits that are inconsistent or down: one finding per circuit, which names the hop.

A port that is down belongs to the rule `port_down`, and so do its circuits. Undecided while a device on the
path is unreachable.
"""

from __future__ import annotations

from backstay.alerts.evidence import MAX_EVIDENCE, observed
from backstay.alerts.models import Incident
from backstay.alerts.rule import (
    Finding,
    Parameters,
    Present,
    Rule,
    RuleResult,
    count_until,
    own_link,
)
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.alerting.rule_parameters import opens_after
from backstay.core.formatting import listing
from backstay.core.model.circuit import Circuit, Place, places
from backstay.core.planning.circuits.consistency import CUTS, CircuitFault
from backstay.telemetry.selectors.circuits import CircuitNow, circuits_now

MAX_LISTED = 4


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Findings for every circuit with a fault; pending until `after_s` old."""
    known = circuits_now(snapshot.site, snapshot.now).circuits
    if not known:
        return RuleResult()
    ports, after_s = _Ports(snapshot), float(parameters["after_s"])
    findings, undecided = [], set()
    for item in known.values():
        fingerprint = f"circuit:{item.circuit.name}"
        faults = [fault for fault in item.faults if not ports.explain(item.circuit, fault)]
        if faults:
            incident = present.get(fingerprint)
            findings.append(_finding(snapshot, after_s, item, faults, ports, incident))
        elif fingerprint in present and ports.has_gap(item.circuit):
            undecided.add(fingerprint)
    return RuleResult(tuple(findings), frozenset(undecided))


class _Ports:
    """A site's ports by node and name."""

    def __init__(self, snapshot: SiteSnapshot) -> None:
        self._situation = snapshot
        topology = snapshot.topology
        self.nodes = {node.name: node.id for node in topology.nodes.values()}
        names = {node.id: node.name for node in topology.nodes.values()}
        self.ids: dict[Place, int] = {
            (names[port.node_id], port.name): port.id for port in topology.ports.values()
        }

    def explain(self, circuit: Circuit, fault: CircuitFault) -> bool:
        """Whether the fault follows from a port that is down."""
        if fault.kind not in {"down", "missing"} or fault.direction is None:
            return False
        hop = circuit.hops[fault.hop]
        side = hop.into if fault.direction == "into" else hop.out
        port = self.ids.get((hop.node, side.port)) if side is not None else None
        return port is not None and self._situation.port_view(port).oper_up is False

    def has_gap(self, circuit: Circuit) -> bool:
        """Whether a device on the path is unreachable."""
        nodes = [self.nodes[hop.node] for hop in circuit.hops if hop.node in self.nodes]
        return any(node in self._situation.nodes and not self._situation.is_fresh(node) for node in nodes)

    def link(self, circuit: Circuit, fault: CircuitFault) -> int | None:
        """The link of the faulty side; of a transit hop, the one toward the circuit's start."""
        sides = [place for number, place, _ in places(circuit) if number == fault.hop]
        place = sides[-1] if fault.direction == "out" else sides[0]
        port = self.ids.get(place)
        link = self._situation.topology.link_of_port.get(port) if port is not None else None
        return None if link is None or link.b is None else link.id


def _finding(  # noqa: PLR0917 - one finding with all its parts
    snapshot: SiteSnapshot,
    after_s: float,
    circuit_now: CircuitNow,
    faults: list[CircuitFault],
    ports: _Ports,
    incident: Incident | None,
) -> Finding:
    first, circuit = faults[0], circuit_now.circuit
    since = incident.opened_at if incident is not None else snapshot.now
    start, end = circuit.ends
    rest = listing([fault.text.removesuffix(".") for fault in faults[1:]], MAX_LISTED)
    return Finding(
        fingerprint=f"circuit:{circuit.name}",
        severity="critical" if any(fault.kind in CUTS for fault in faults) else "warning",
        subject=circuit.name,
        title=f"{circuit.name}: {first.text.removesuffix('.')}"[:300],
        detail=(
            f"Hop {first.hop + 1} of {len(circuit.hops)} between {start} and {end}, {first.node}."
            + (f" Also: {rest}." if rest else "")
        )[:2000],
        since=since,
        node_id=ports.nodes.get(first.node),
        link_id=ports.link(circuit, first),
        value=len(faults),
        count=count_until(after_s, snapshot.now - since, incident),
        evidence=tuple(
            observed(snapshot, ports.nodes[fault.node], fault.text)
            for fault in faults[:MAX_EVIDENCE]
            if fault.node in ports.nodes
        ),
    )


RULE = Rule(
    kind="circuit",
    title="Circuit fault",
    severity="warning",
    evaluate=evaluate,
    cause_rank=CauseRank.EFFECT,
    scope=own_link,
    source="snmp",
    group="paths",
    about="site",
    summary="A circuit is interrupted, or its hops do not fit.",
    parameters=(opens_after(5.0),),
    runbook="circuit",
)
