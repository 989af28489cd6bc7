"""Blocked HIPPI destinations: one finding per HIPPI-SONET gateway whose packets wait most of the time.

A HIPPI destination serves one connection at a time. A source that holds it all the time stops everything that
a gateway has for it (`core.diagnosis.blocking`).
"""

from __future__ import annotations

from backstay.alerts.evidence import observed
from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult
from backstay.alerts.selectors.cadence import is_due
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.alerting.rule_parameters import RuleParameter, evaluated_every, opens_at, resolves_below
from backstay.core.diagnosis.blocking import GatewayGrowth, blocking_factor_s, is_blocked, waiting_share
from backstay.core.formatting import share
from backstay.telemetry.selectors.metrics import Windows, grown_within

COUNTED = ("hsg.clock", "hsg.src_busy", "hsg.src_packets", "hsg.src_connect_fail")


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Gateways that are blocked within the window; undecided between two readings and without data."""
    if not is_due(RULE.kind, snapshot.site.pk, snapshot.now, float(parameters["every_s"])):
        return RuleResult(undecided=frozenset(present))
    topology = snapshot.topology
    fabrics = {item.id for item in topology.fabrics.values() if item.kind == "hippi"}
    nodes = {port.node_id for port in topology.ports.values() if port.fabric_id in fabrics}
    if not nodes:
        return RuleResult()
    seconds = float(parameters["window_s"])
    windows = grown_within(nodes, COUNTED, snapshot.now, seconds, seconds)
    findings, undecided = [], set()
    for node in nodes:
        fingerprint = f"hippi_blocked:{node}"
        if not snapshot.is_fresh(node) or not windows.watched_s.get(node, (0.0, 0.0))[1]:
            undecided.add(fingerprint)
            continue
        grown = _grown(windows, node)
        limit = float(parameters["clear_at" if fingerprint in present else "raise_at"])
        if is_blocked(grown, limit):
            findings.append(_finding(snapshot, fingerprint, (node, grown), present))
    return RuleResult(tuple(findings), frozenset(undecided))


def _grown(windows: Windows, node: int) -> GatewayGrowth:
    """A gateway's counters within the window; it has one monitor."""
    found = dict.fromkeys(COUNTED, 0.0)
    for (owner, _, metric), (_, long) in windows.grown.items():
        if owner == node:
            found[metric] += long
    return GatewayGrowth(
        seconds=windows.watched_s[node][1],
        clock=found["hsg.clock"],
        src_busy=found["hsg.src_busy"],
        delivered=found["hsg.src_packets"],
        given_up=found["hsg.src_connect_fail"],
    )


def _finding(
    snapshot: SiteSnapshot, fingerprint: str, of: tuple[int, GatewayGrowth], present: Present
) -> Finding:
    node, grown = of
    name, incident = snapshot.topology.nodes[node].name, present.get(fingerprint)
    waited, factor = waiting_share(grown), blocking_factor_s(grown)
    mean = "" if factor is None else f" A packet waits {factor * 1000:.0f} ms on average."
    dropped = f" {grown.given_up:,.0f} packets were dropped." if grown.given_up else ""
    return Finding(
        fingerprint=fingerprint,
        subject=name,
        title=f"{name}: its HIPPI destination is blocked {share(waited or 0.0)} of the time",
        detail=f"In the last {grown.seconds:.0f} s another source held the destination.{mean}{dropped}"
        f" Stop that source, or limit the hold time h of {name}.",
        since=snapshot.now if incident is None else incident.opened_at,
        node_id=node,
        value=waited,
        evidence=(
            observed(snapshot, node, f"packets waited {share(waited or 0.0)} of {grown.seconds:.0f} s"),
            observed(
                snapshot, node, f"{grown.delivered:,.0f} packets delivered, {grown.given_up:,.0f} dropped"
            ),
        ),
    )


WINDOW = RuleParameter("window_s", "Window", "s", 60.0, 10, 3600, "Time over which the waiting is averaged.")
RULE = Rule(
    kind="hippi_blocked",
    title="HIPPI destination blocked",
    severity="warning",
    evaluate=evaluate,
    cause_rank=CauseRank.INDEPENDENT,
    group="load",
    about="node",
    summary="A HIPPI destination keeps its callers waiting.",
    parameters=(
        evaluated_every(10.0, "Counters"),
        WINDOW,
        opens_at(0.5, "Share of time in which callers wait"),
        resolves_below(0.25, "Share of time in which callers wait"),
    ),
    runbook="hippi-blocked",
)
