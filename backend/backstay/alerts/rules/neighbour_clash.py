"""One address with two hardware addresses on one fabric at the same time: one finding per address,
and one for many of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from backstay.alerts.evidence import MAX_EVIDENCE, observed
from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.alerts.storms import split
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.alerting.rule_parameters import opens_after
from backstay.core.diagnosis.duplicates import Duplicate, duplicates
from backstay.core.diagnosis.faults.fault import FaultEvidence
from backstay.core.formatting import count, listing
from backstay.core.thresholds import INCIDENTS_PER_DEVICE
from backstay.telemetry.selectors.neighbours import Claim, claims, owners


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Duplicates older than `after_s`; a table that is about to be corrected does not count.

    Many duplicates of one fabric share one finding.
    """
    after = timedelta(seconds=float(parameters["after_s"]))
    found = [item for item in duplicates(claims(snapshot.site)) if snapshot.now - item.since >= after]
    single, shared = split(found, present, INCIDENTS_PER_DEVICE, _names)
    known = owners(snapshot.site, {mac for item in single for mac in item.macs})
    findings = [_finding(snapshot, item, known) for item in single]
    findings += [_shared(snapshot, name, items) for name, items in shared.items()]
    return RuleResult(tuple(findings))


def _names(found: Duplicate[Claim]) -> tuple[str, str]:
    fabric = found.fabric_id or 0
    return f"neighbour_clash:{found.address}:{fabric}", f"neighbour_clash:*:{fabric}"


def _shared(snapshot: SiteSnapshot, fingerprint: str, found: list[Duplicate[Claim]]) -> Finding:
    """One finding of many addresses."""
    fabric = snapshot.topology.fabrics.get(found[0].fabric_id or 0)
    where = f" on {fabric.name}" if fabric is not None else ""
    addresses = listing([item.address for item in found])
    number = count(len(found), "address", "addresses")
    nodes = sorted({claim.node for item in found for claim in item.claims})
    return Finding(
        fingerprint=fingerprint,
        severity="critical",
        subject=fabric.name if fabric is not None else snapshot.site.name,
        title=f"{number}{where} have several hardware addresses: {addresses}"[:300],
        detail=f"The neighbour tables of {listing(nodes)} disagree. Traffic may reach the wrong node."[:2000],
        since=min(item.since for item in found),
        value=float(len(found)),
        evidence=_evidence(snapshot, [claim for item in found for claim in item.claims]),
    )


def _evidence(snapshot: SiteSnapshot, found: Sequence[Claim]) -> tuple[FaultEvidence, ...]:
    """The entries that disagree."""
    return tuple(
        observed(
            snapshot,
            claim.node_id,
            f"{claim.node} has {claim.address} at {claim.mac} on {claim.port} ({claim.state})",
            claim.held_since,
            source="neighbours",
        )
        for claim in found[:MAX_EVIDENCE]
    )


def _finding(snapshot: SiteSnapshot, found: Duplicate[Claim], known: dict[str, str]) -> Finding:
    fabric = snapshot.topology.fabrics.get(found.fabric_id or 0)
    where = f" on {fabric.name}" if fabric is not None else ""
    ports = [_owner(mac, known) for mac in found.macs]
    text = "; ".join(f"at {_owner(mac, known)} by {listing(_claimants(found, mac))}" for mac in found.macs)
    return Finding(
        fingerprint=_names(found)[0],
        severity="critical" if any(mac not in known for mac in found.macs) else "warning",
        subject=found.address,
        title=f"{found.address}{where} has {len(found.macs)} hardware addresses: {listing(ports)}"[:300],
        detail=f"Entries: {text}. Traffic for one of them may reach the other."[:2000],
        since=found.since,
        node_id=found.claims[0].node_id,
        evidence=_evidence(snapshot, found.claims),
    )


def _claimants(found: Duplicate[Claim], mac: str) -> list[str]:
    return sorted({claim.node for claim in found.claims if claim.mac == mac})


def _owner(mac: str, known: dict[str, str]) -> str:
    return f"{known[mac]} ({mac})" if mac in known else mac


RULE = Rule(
    kind="neighbour_clash",
    title="Duplicate address",
    severity="warning",
    evaluate=evaluate,
    cause_rank=CauseRank.INDEPENDENT,
    group="addresses",
    about="site",
    summary="Two hardware addresses use one address.",
    parameters=(opens_after(10.0),),
    runbook="neighbour-entries",
)
