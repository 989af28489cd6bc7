"""Reconciles a site's links with the evidence when evidence arrives or expires.

Each round makes one cheap query and does the work only if needed. A moved cable is thus detected in the
first round after its report.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from django.db import transaction

from backstay.core.formatting import count, listing
from backstay.core.model.event_kinds import EventKind
from backstay.core.wiring.evidence import Claim, Ends, Joint, judge, next_due
from backstay.inventory.advisory_locks import LockClass, lock_until_commit
from backstay.inventory.models import Site
from backstay.inventory.wiring import Evidence, Rewired, WantedLink, rewire, site_file_evidence
from backstay.live import publish
from backstay.telemetry import events
from backstay.telemetry.models import AdjacencySet, NodeState, Wiring
from backstay.telemetry.selectors.claims import Claims

LONGEST = timedelta(seconds=60)
"""Time between two full checks: addresses and names can change without a change of neighbour sets."""
NOUNS = frozenset({"topology", "links", "ports", "nodes", "fabrics"})


def apply_due(site: Site, now: datetime, listening_since: datetime | None) -> bool:
    """Apply the evidence if it changed; whether it was applied."""
    known = Wiring.objects.filter(site=site).first()
    if known is not None and not _is_due(site, known, now):
        return False
    apply(site, now, listening_since)
    return True


def _is_due(site: Site, known: Wiring, now: datetime) -> bool:
    if now >= known.due_at or known.version != site.version:
        return True
    return AdjacencySet.objects.filter(node__site=site, changed_at__gt=known.applied_at).exists()


@transaction.atomic
def apply(site: Site, now: datetime, listening_since: datetime | None = None) -> Rewired:
    """Reconcile the site's links with the site file and the current evidence."""
    lock_until_commit(LockClass.WIRING, site)
    site.refresh_from_db(fields=["version"])
    claims = Claims(site, listening_since)
    joints = judge(claims.declared, claims.all, claims.numbered, now)
    done = rewire(site, [link for joint in joints if (link := _wanted(site, claims, joint)) is not None])
    due_at = min(next_due(claims.all, now) or now + LONGEST, now + LONGEST)
    Wiring.objects.update_or_create(
        site=site, defaults={"applied_at": now, "due_at": due_at, "version": site.version}
    )
    if done.changed:
        _record_events(site, claims, done, now)
        publish.changed(site.name, NOUNS)
    return done


def last_evidence(nodes: Collection[int]) -> dict[tuple[str, int], datetime]:
    """(source, node id) -> last report of that source; two queries."""
    sets = AdjacencySet.objects.filter(node__in=nodes).values_list("source", "node_id", "at")
    moments = {(source, node): at for source, node, at in sets}
    described = NodeState.objects.filter(node__in=nodes).values_list("node_id", "described_at")
    return moments | {("subnet", node): at for node, at in described if at is not None}


def _wanted(site: Site, claims: Claims, joint: Joint) -> WantedLink | None:
    row = claims.declared.get(joint.ends)
    fabric = row.fabric_id if row is not None else claims.fabric_of(joint.ends)
    if fabric is None:
        return None
    evidence = [_evidence(claims, claim) for claim in joint.evidence]
    if row is not None:
        evidence.insert(0, site_file_evidence(site.imported_at.isoformat()))
    conflicts = [{**_evidence(claims, claim), "says": _pair(claims, claim.ends)} for claim in joint.conflicts]
    return WantedLink(joint.ends, row is not None, fabric, evidence, conflicts)


def _evidence(claims: Claims, claim: Claim) -> Evidence:
    return {
        "source": claim.source,
        "by": claims.names[claim.by],
        "node_id": claim.by,
        "since": claim.since.isoformat(),
    }


def _pair(claims: Claims, pair: Ends) -> str:
    return "-".join(claims.name(port) for port in pair)


def _record_events(site: Site, claims: Claims, done: Rewired, now: datetime) -> None:
    """Record one event per kind of change."""
    moved = _moved(done)
    found = [pair for pair in done.found if pair not in moved]
    gone = [pair for pair in done.gone if not set(pair) & {port for new in moved for port in new}]
    for kind, pairs, verb in (
        (EventKind.LINK_MOVED, sorted(moved), "moved"),
        (EventKind.LINK_FOUND, found, "found"),
        (EventKind.LINK_GONE, gone, "gone: no longer reported"),
        (EventKind.LINK_CONFLICT, list(done.contradicted), "contradicted"),
    ):
        names = [_pair(claims, pair) for pair in pairs if all(port in claims.ports for port in pair)]
        if names:
            message = f"{count(len(names), 'link')} {verb}: {listing(names)}"
            events.record(site, kind, message, at=now, subject=names[0])


def _moved(done: Rewired) -> set[Ends]:
    """Discovered links at a port that lost another link: presumably the same cable, moved."""
    left: set[int] = _ports(done.gone)
    return {pair for pair in done.found if set(pair) & left}


def _ports(pairs: Iterable[Ends]) -> set[int]:
    return {port for pair in pairs for port in pair}
