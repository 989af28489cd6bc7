"""A port that runs another address than the site file gives it: one finding a port.

Everything that is planned goes by the site file's addresses: next hops, static entries, the address rule of a
switch. While the node is silent nobody knows what it runs, and its incident neither rises nor clears.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from backstay.alerts.finding import Finding, Verdict
from backstay.alerts.models import Incident, Phase, Rule
from backstay.alerts.selectors.situation import Situation
from backstay.core.alerting.saturation import Count
from backstay.core.model.address_mismatch import AddressMismatch
from backstay.core.planning.arp.members import SWITCH, Known, members
from backstay.core.planning.arp.rule import rule as address_rule
from backstay.telemetry.models import ArpState
from backstay.telemetry.selectors.addresses import astray_now


def fingerprint(port: int) -> str:
    """Which incident is about a port."""
    return f"other_address:{port}"


def evaluate(situation: Situation, rule: Rule, present: dict[str, Incident]) -> Verdict:
    """Findings for every such port; one only counts until it has stood for some seconds."""
    undecided = frozenset(
        name
        for name, incident in present.items()
        if incident.node_id is not None and not situation.is_fresh(incident.node_id)
    )
    found = astray_now(situation.site, situation.topology, situation.now)
    if not found:
        return Verdict((), undecided)
    silent = _without_arp(found)
    after = timedelta(seconds=float(rule.parameters.get("after_s", 10.0)))
    findings = tuple(
        _finding(situation, (port, found), port in silent, present.get(fingerprint(port)), after)
        for port in sorted(found)
    )
    return Verdict(findings, undecided)


def _without_arp(found: Mapping[int, AddressMismatch]) -> set[int]:
    """Those of the ports at which ARP is off: nobody can ask where their address is."""
    rows = ArpState.objects.filter(node__in={item.node for item in found.values()}).order_by("node_id")
    off = {
        (node, port["port"])
        for node, ports in rows.values_list("node_id", "ports")
        for port in ports
        if not port["arp"]
    }
    return {port for port, item in found.items() if (item.node, item.port) in off}


def _finding(
    situation: Situation,
    of: tuple[int, Mapping[int, AddressMismatch]],
    arp_off: bool,
    incident: Incident | None,
    after: timedelta,
) -> Finding:
    port, found = of
    mismatch = found[port]
    since = incident.opened_at if incident is not None else situation.now
    shown = incident is not None and incident.phase != Phase.PENDING
    stands = situation.now - since >= after
    forwards = situation.topology.forwards(("node", mismatch.node))
    said = [f"Routes to {mismatch.lacks} lead to nobody."] if forwards else []
    said += [f"ARP is off there, so nobody finds {mismatch.name} by asking."] if arp_off else []
    return Finding(
        fingerprint=fingerprint(port),
        severity="critical" if forwards or arp_off else "warning",
        subject=f"{mismatch.name}:{mismatch.port}",
        title=mismatch.text[:300],
        detail=" ".join([*said, _rule(situation, port, found), f"{mismatch.remedy}."])[:2000],
        since=since,
        node_id=mismatch.node,
        count=None if stands or shown else Count(bad=1),
    )


def _rule(situation: Situation, port: int, found: Mapping[int, AddressMismatch]) -> str:
    """On an SP switch, what the address rule says of it; elsewhere who goes by the site file."""
    topology = situation.topology
    fabric = topology.ports[port].fabric_id
    if fabric is not None and topology.fabrics[fabric].kind == SWITCH:
        mismatch = found[port]
        lines = address_rule(members(topology, fabric, Known(address_mismatches=found))).lines
        why = next((line.why for line in lines if line.member.address_mismatch is mismatch), "")
        if why:
            return f"{why[0].upper()}{why[1:]}."
    return "Policies, plans and static entries go by the site file's address."
