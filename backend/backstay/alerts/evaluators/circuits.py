"""Circuits that do not fit together or are down: one finding a circuit, which names the hop.

A port that is down is another rule's, and so is what its circuits say then. Where a device on the way is
silent, an incident neither rises nor clears.
"""

from __future__ import annotations

from datetime import timedelta

from backstay.alerts.evaluators.failover import still
from backstay.alerts.finding import Finding, Verdict
from backstay.alerts.models import Incident, Phase, Rule
from backstay.alerts.selectors.situation import Situation
from backstay.core.alerting.saturation import Count
from backstay.core.formatting import listing
from backstay.core.model.circuit import Circuit, Place, places
from backstay.core.planning.circuits.consistency import CUTS, Fault
from backstay.telemetry.selectors.circuits import CircuitNow, circuits_now

LISTED = 4


def evaluate(situation: Situation, rule: Rule, present: dict[str, Incident]) -> Verdict:
    """Findings for every circuit with a fault; it only counts until it has stood long enough."""
    known = circuits_now(situation.site, situation.now).circuits
    if not known:
        return Verdict()
    ports = _Ports(situation)
    findings, undecided = [], set()
    for item in known.values():
        fingerprint = f"circuit:{item.circuit.name}"
        faults = [fault for fault in item.faults if not ports.tells(item.circuit, fault)]
        if faults:
            findings.append(_finding(situation, rule, item, faults, ports, present.get(fingerprint)))
        elif fingerprint in present and ports.silent(item.circuit):
            undecided.add(fingerprint)
    return Verdict(tuple(findings), frozenset(undecided))


class _Ports:
    """A site's ports by node and name."""

    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        topology = situation.topology
        self.nodes = {node.name: node.id for node in topology.nodes.values()}
        names = {node.id: node.name for node in topology.nodes.values()}
        self.ids: dict[Place, int] = {
            (names[port.node_id], port.name): port.id for port in topology.ports.values()
        }

    def tells(self, circuit: Circuit, fault: Fault) -> bool:
        """Whether the fault is what a port that is down says of its circuits."""
        if fault.kind not in {"down", "missing"} or fault.direction is None:
            return False
        hop = circuit.hops[fault.hop]
        side = hop.into if fault.direction == "into" else hop.out
        port = self.ids.get((hop.node, side.port)) if side is not None else None
        return port is not None and self._situation.port_view(port).oper_up is False

    def silent(self, circuit: Circuit) -> bool:
        """Whether a device on the way is not heard."""
        nodes = [self.nodes[hop.node] for hop in circuit.hops if hop.node in self.nodes]
        return any(node in self._situation.nodes and not self._situation.is_fresh(node) for node in nodes)

    def link(self, circuit: Circuit, fault: Fault) -> int | None:
        """The link that the faulty side is on; of a hop that passes it on, the one that it comes from."""
        sides = [place for number, place, _ in places(circuit) if number == fault.hop]
        place = sides[-1] if fault.direction == "out" else sides[0]
        port = self.ids.get(place)
        link = self._situation.topology.link_of_port.get(port) if port is not None else None
        return None if link is None or link.b is None else link.id


def _finding(  # noqa: PLR0917 - one finding with all that it is made of
    situation: Situation,
    rule: Rule,
    circuit_now: CircuitNow,
    faults: list[Fault],
    ports: _Ports,
    incident: Incident | None,
) -> Finding:
    first, circuit = faults[0], circuit_now.circuit
    since = incident.opened_at if incident is not None else situation.now
    stands = situation.now - since >= timedelta(seconds=float(rule.parameters.get("after_s", 5.0)))
    shown = incident is not None and incident.phase != Phase.PENDING
    start, end = circuit.ends
    rest = listing([fault.text.removesuffix(".") for fault in faults[1:]], LISTED)
    return Finding(
        fingerprint=f"circuit:{circuit.name}",
        severity="critical" if any(fault.kind in CUTS for fault in faults) else "warning",
        subject=circuit.name,
        title=f"{circuit.name}: {first.text.removesuffix('.')}"[:300],
        detail=(
            still(incident if shown else None, len(faults))
            + f"Hop {first.hop + 1} of {len(circuit.hops)} between {start} and {end}, {first.node}."
            + (f" Also: {rest}." if rest else "")
        )[:2000],
        since=since,
        node_id=ports.nodes.get(first.node),
        link_id=ports.link(circuit, first),
        value=len(faults),
        count=None if stands or shown else Count(bad=1),
    )
