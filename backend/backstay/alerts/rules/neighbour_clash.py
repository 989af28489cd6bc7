"""One address with two hardware addresses on one fabric at the same time: one finding per address."""

from __future__ import annotations

from datetime import timedelta

from backstay.alerts.rule import Finding, Parameters, Present, Rule, RuleResult
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.explain import CauseRank
from backstay.core.diagnosis.duplicates import Duplicate, duplicates
from backstay.core.formatting import listing
from backstay.telemetry.selectors.neighbours import Claim, claims, owners


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Duplicates older than `after_s`; a table that is about to be corrected does not count."""
    after = timedelta(seconds=float(parameters["after_s"]))
    found = [item for item in duplicates(claims(snapshot.site)) if snapshot.now - item.since >= after]
    known = owners(snapshot.site, {mac for item in found for mac in item.macs})
    return RuleResult(tuple(_finding(snapshot, item, known) for item in found))


def _finding(snapshot: SiteSnapshot, found: Duplicate[Claim], known: dict[str, str]) -> Finding:
    fabric = snapshot.topology.fabrics.get(found.fabric_id or 0)
    where = f" on {fabric.name}" if fabric is not None else ""
    ports = [_owner(mac, known) for mac in found.macs]
    text = "; ".join(f"at {_owner(mac, known)} by {listing(_claimants(found, mac))}" for mac in found.macs)
    return Finding(
        fingerprint=f"neighbour_clash:{found.address}:{found.fabric_id or 0}",
        severity="critical" if any(mac not in known for mac in found.macs) else "warning",
        subject=found.address,
        title=f"{found.address}{where} has {len(found.macs)} hardware addresses: {listing(ports)}"[:300],
        detail=f"Entries: {text}. Traffic for one of them may reach the other."[:2000],
        since=found.since,
        node_id=found.claims[0].node_id,
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
    defaults={"after_s": 10.0},
    cause_rank=CauseRank.INDEPENDENT,
)
