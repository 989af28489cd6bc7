"""An extension node whose router is misconfigured: one finding per router.

The state that the router reports of its adapter belongs to the rule `device_state`. Undecided while the
router is unreachable.
"""

from __future__ import annotations

from backstay.alerts.evidence import observed
from backstay.alerts.models import Incident
from backstay.alerts.rule import (
    Finding,
    Parameters,
    Present,
    Rule,
    RuleResult,
    count_until,
)
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.root_causes import CauseRank
from backstay.core.alerting.rule_parameters import opens_after
from backstay.core.planning.extension.compare import Attribute, drift
from backstay.telemetry.selectors.extension import ExtensionNow, extension_nodes_now

REMEDY = (
    "Correct the SDR or the router's own settings; `enadmin -a reconfigure` has the control workstation"
    " send the SDR's attributes again."
)
MAX_TEXT = 1700
"""Maximum characters; an incident's detail holds 2000."""


def fingerprint(node: int) -> str:
    return f"extension:{node}"


def evaluate(snapshot: SiteSnapshot, parameters: Parameters, present: Present) -> RuleResult:
    """Findings for every router whose attributes differ; pending until `after_s` old."""
    findings, undecided = [], set()
    for node in extension_nodes_now(snapshot.site, snapshot.now).values():
        incident = present.get(fingerprint(node.node))
        differing = drift(node.attributes)
        if differing:
            findings.append(_finding(snapshot, float(parameters["after_s"]), node, differing, incident))
        elif node.reported is None:
            undecided.add(fingerprint(node.node))
    return RuleResult(tuple(findings), frozenset(undecided))


def _finding(
    snapshot: SiteSnapshot,
    after_s: float,
    extension_now: ExtensionNow,
    differing: tuple[Attribute, ...],
    incident: Incident | None,
) -> Finding:
    since = incident.opened_at if incident is not None else snapshot.now
    more = len(differing) - 1
    first, rest = differing[0], f", and {more} more" if more else ""
    title = (
        f"{extension_now.node_name} as extension node: {first.title.lower() if first.key != 'arp' else 'ARP'}"
    )
    return Finding(
        fingerprint=fingerprint(extension_now.node),
        severity="critical" if any(row.severe for row in differing) else "warning",
        subject=extension_now.node_name,
        title=f"{title} is {first.reported}, intended {first.intended}{rest}"[:300],
        detail=f"{' '.join(row.text for row in differing)[:MAX_TEXT]} {REMEDY}",
        since=since,
        node_id=extension_now.node,
        value=len(differing),
        evidence=tuple(
            observed(snapshot, extension_now.node, row.text, extension_now.reported_at) for row in differing
        ),
        count=count_until(after_s, snapshot.now - since, incident),
    )


RULE = Rule(
    kind="extension",
    title="Extension node misconfigured",
    severity="warning",
    evaluate=evaluate,
    cause_rank=CauseRank.INDEPENDENT,
    group="devices",
    about="node",
    summary="An extension node of the SP switch is configured differently on its two sides.",
    parameters=(opens_after(5.0),),
    runbook="extension-node",
)
