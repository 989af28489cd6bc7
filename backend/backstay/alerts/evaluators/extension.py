"""An extension node whose router is not set up as intended: one finding a router.

What the router says of its own adapter's state is the rule of device states' business, and its silence
another's: while it is silent, an incident neither rises nor clears.
"""

from __future__ import annotations

from datetime import timedelta

from backstay.alerts.evaluators.failover import still
from backstay.alerts.finding import Finding, Verdict
from backstay.alerts.models import Incident, Phase, Rule
from backstay.alerts.selectors.situation import Situation
from backstay.core.alerting.saturation import Count
from backstay.core.planning.extension.compare import Attribute, drift
from backstay.telemetry.selectors.extension import ExtensionNow, extension_nodes_now

NEXT = (
    "Correct the SDR or the router's own settings; `enadmin -a reconfigure` has the control workstation"
    " send the SDR's attributes again."
)
MOST_TEXT = 1700
"""Of an incident's detail, which holds 2000."""


def fingerprint(node: int) -> str:
    """Which incident is about an extension node."""
    return f"extension:{node}"


def evaluate(situation: Situation, rule: Rule, present: dict[str, Incident]) -> Verdict:
    """Findings for every router whose row differs; it only counts until it has stood long enough."""
    findings, undecided = [], set()
    for node in extension_nodes_now(situation.site, situation.now).values():
        incident = present.get(fingerprint(node.node))
        differing = drift(node.attributes)
        if differing:
            findings.append(_finding(situation, rule, node, differing, incident))
        elif node.told is None:
            undecided.add(fingerprint(node.node))
    return Verdict(tuple(findings), frozenset(undecided))


def _finding(
    situation: Situation,
    rule: Rule,
    extension_now: ExtensionNow,
    differing: tuple[Attribute, ...],
    incident: Incident | None,
) -> Finding:
    since = incident.opened_at if incident is not None else situation.now
    stands = situation.now - since >= timedelta(seconds=float(rule.parameters.get("after_s", 5.0)))
    shown = incident is not None and incident.phase != Phase.PENDING
    more = len(differing) - 1
    first, rest = differing[0], f", and {more} more" if more else ""
    title = (
        f"{extension_now.node_name} as extension node: {first.title.lower() if first.key != 'arp' else 'ARP'}"
    )
    return Finding(
        fingerprint=fingerprint(extension_now.node),
        severity="critical" if any(row.severe for row in differing) else "warning",
        subject=extension_now.node_name,
        title=f"{title} is {first.told} and shall be {first.intended}{rest}"[:300],
        detail=still(incident if shown else None, len(differing))
        + f"{' '.join(row.text for row in differing)[:MOST_TEXT]} {NEXT}",
        since=since,
        node_id=extension_now.node,
        value=len(differing),
        count=None if stands or shown else Count(bad=1),
    )
