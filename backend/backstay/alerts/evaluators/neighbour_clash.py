"""One address at two hardware addresses on one fabric at one time: one finding an address."""

from __future__ import annotations

from datetime import timedelta

from backstay.alerts.finding import Finding, Verdict
from backstay.alerts.models import Incident, Rule
from backstay.alerts.selectors.situation import Situation
from backstay.core.diagnosis.duplicates import Duplicate, duplicates
from backstay.core.formatting import listing
from backstay.telemetry.selectors.neighbours import Claim, claims, owners


def evaluate(situation: Situation, rule: Rule, present: dict[str, Incident]) -> Verdict:
    """Duplicates that stand for some seconds: a table that was just about to be corrected is none."""
    after = timedelta(seconds=float(rule.parameters.get("after_s", 10.0)))
    told = duplicates(claims(situation.site))
    found = [item for item in told if situation.now - item.since >= after]
    known = owners(situation.site, {mac for item in found for mac in item.macs})
    return Verdict(tuple(_finding(situation, item, known) for item in found))


def _finding(situation: Situation, found: Duplicate[Claim], known: dict[str, str]) -> Finding:
    fabric = situation.topology.fabrics.get(found.fabric_id or 0)
    where = f" on {fabric.name}" if fabric is not None else ""
    whose = [_whose(mac, known) for mac in found.macs]
    says = "; ".join(f"at {_whose(mac, known)} by {listing(_tellers(found, mac))}" for mac in found.macs)
    return Finding(
        fingerprint=f"neighbour_clash:{found.address}:{found.fabric_id or 0}",
        severity="critical" if any(mac not in known for mac in found.macs) else "warning",
        subject=found.address,
        title=f"{found.address}{where} is at {len(found.macs)} places: {listing(whose)}"[:300],
        detail=f"Held to be {says}. Whoever is wrong is sent what is meant for the other."[:2000],
        since=found.since,
        node_id=found.claims[0].node_id,
    )


def _tellers(found: Duplicate[Claim], mac: str) -> list[str]:
    return sorted({claim.node for claim in found.claims if claim.mac == mac})


def _whose(mac: str, known: dict[str, str]) -> str:
    return f"{known[mac]} ({mac})" if mac in known else mac
