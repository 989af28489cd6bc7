"""A port whose address differs from the site file: one finding per port.

Plans use the site file's addresses: next hops, static entries, the address rule of a switch. Undecided while
the node is unreachable.
"""

from __future__ import annotations

from collections.abc import Mapping

from backstay.alerts.evidence import observed
from backstay.alerts.models import Incident
from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult, count_until
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.alerting.rule_parameters import opens_after
from backstay.core.model.address_mismatch import AddressMismatch
from backstay.core.planning.arp.members import SWITCH, Known, members
from backstay.core.planning.arp.rule import rule as address_rule
from backstay.telemetry.models import ArpState
from backstay.telemetry.selectors.addresses import site_address_mismatches


def fingerprint(port: int) -> str:
    return f"address_mismatch:{port}"


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Findings for every such port; pending until `after_s` old."""
    undecided = frozenset(
        name
        for name, incident in present.items()
        if incident.node_id is not None and not snapshot.is_fresh(incident.node_id)
    )
    ends = snapshot.port_states
    found = site_address_mismatches(snapshot.site, snapshot.topology, snapshot.now, ends=ends)
    if not found:
        return RuleResult((), undecided)
    arp_off = _without_arp(found)
    after_s = float(parameters["after_s"])
    findings = tuple(
        _finding(snapshot, (port, found), port in arp_off, present.get(fingerprint(port)), after_s)
        for port in sorted(found)
    )
    return RuleResult(findings, undecided)


def _without_arp(found: Mapping[int, AddressMismatch]) -> set[int]:
    """The ports with ARP off: no node can resolve their address."""
    rows = ArpState.objects.filter(node__in={item.node for item in found.values()}).order_by("node_id")
    off = {
        (node, port["port"])
        for node, ports in rows.values_list("node_id", "ports")
        for port in ports
        if not port["arp"]
    }
    return {port for port, item in found.items() if (item.node, item.port) in off}


def _finding(
    snapshot: SiteSnapshot,
    of: tuple[int, Mapping[int, AddressMismatch]],
    arp_off: bool,
    incident: Incident | None,
    after_s: float,
) -> Finding:
    port, found = of
    mismatch = found[port]
    since = incident.opened_at if incident is not None else snapshot.now
    forwards = snapshot.topology.forwards(("node", mismatch.node))
    effects = [f"Routes via {mismatch.lacks} do not work."] if forwards else []
    effects += [f"ARP is off there: no node can resolve {mismatch.name}."] if arp_off else []
    return Finding(
        fingerprint=fingerprint(port),
        severity="critical" if forwards or arp_off else "warning",
        subject=f"{mismatch.name}:{mismatch.port}",
        title=mismatch.text[:300],
        detail=" ".join([*effects, _rule(snapshot, port, found), f"{mismatch.remedy}."])[:2000],
        since=since,
        node_id=mismatch.node,
        count=count_until(after_s, snapshot.now - since, incident),
        evidence=(observed(snapshot, mismatch.node, mismatch.text),),
    )


def _rule(snapshot: SiteSnapshot, port: int, found: Mapping[int, AddressMismatch]) -> str:
    """On an SP switch, the address rule's result; elsewhere what uses the site file's address."""
    topology = snapshot.topology
    fabric = topology.ports[port].fabric_id
    if fabric is not None and topology.fabrics[fabric].kind == SWITCH:
        mismatch = found[port]
        lines = address_rule(members(topology, fabric, Known(address_mismatches=found))).lines
        why = next((line.why for line in lines if line.member.address_mismatch is mismatch), "")
        if why:
            return f"{why[0].upper()}{why[1:]}."
    return "Policies, plans and static entries use the site file's address."


RULE = Rule(
    kind="address_mismatch",
    title="Address mismatch",
    severity="warning",
    evaluate=evaluate,
    cause_rank=CauseRank.EFFECT,
    group="addresses",
    about="node",
    summary="A port reports other addresses than the site file declares.",
    parameters=(opens_after(10.0),),
    runbook="address-mismatch",
)
