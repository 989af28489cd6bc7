"""Reconciles link rows with the site file and the evidence.

A port on a fabric without a link of its own is linked to the fabric, so each discovered cable replaces two
such links and each lost cable restores them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import F

from backstay.core.wiring.evidence import Ends, ends
from backstay.inventory.advisory_locks import LockClass, lock_until_commit
from backstay.inventory.models import Link, Port, Site

BATCH = 1000
Evidence = dict[str, Any]
"""`{source, by, node_id, since}` and, of a contradiction, `says`."""
Key = tuple[int, int | None]


@dataclass(frozen=True, slots=True)
class WantedLink:
    """One desired link."""

    ends: Ends
    declared: bool
    fabric_id: int
    evidence: list[Evidence]
    conflicts: list[Evidence]


@dataclass(frozen=True, slots=True)
class Rewired:
    """Changes of a site's links: discovered and removed ones by their ends."""

    found: tuple[Ends, ...] = ()
    gone: tuple[Ends, ...] = ()
    contradicted: tuple[Ends, ...] = ()
    """Links that are newly contradicted."""
    changed: bool = False
    """Whether anything was written."""


def site_file_evidence(since: str) -> Evidence:
    return {"source": "site file", "by": "", "node_id": None, "since": since}


def rewire(site: Site, wanted: Iterable[WantedLink]) -> Rewired:
    """Reconcile the site's links: these, and a link to the fabric for every other declared port.

    Increments the site's version if links were added or removed, which invalidates every process's snapshot.
    """
    links = {link.ends: link for link in wanted}
    rows = {(row.a_id, row.b_id): row for row in Link.objects.filter(site=site)}
    joined = {_pair(key): row for key, row in rows.items() if key[1] is not None}
    media = _media(site, {port for pair in links for port in pair})
    gone = [row for pair, row in joined.items() if pair not in links]
    gone += [row for key, row in rows.items() if key[1] is None and key[0] not in media]
    if gone:
        lock_until_commit(LockClass.ALERTS, site)  # Incidents refer to links.
        Link.objects.filter(pk__in=[row.pk for row in gone]).delete()
    have_media = {key[0] for key in rows if key[1] is None}
    new = [_row(site, link) for pair, link in links.items() if pair not in joined]
    new += [_medium(site, port, fabric) for port, fabric in media.items() if port not in have_media]
    Link.objects.bulk_create(new, batch_size=BATCH)
    _adopt(links.values())
    contradicted = tuple(pair for pair, link in links.items() if link.conflicts and not _known(joined, pair))
    changed = _update(joined, links)
    if gone or new:
        Site.objects.filter(pk=site.pk).update(version=F("version") + 1)
        site.refresh_from_db(fields=["version"])
    return Rewired(
        found=tuple(ends(row.a_id, row.b_id) for row in new if row.b_id is not None),
        gone=tuple(ends(row.a_id, row.b_id) for row in gone if row.b_id is not None),
        contradicted=contradicted,
        changed=changed or bool(gone or new),
    )


def _pair(key: Key) -> Ends:
    assert key[1] is not None
    return ends(key[0], key[1])


def _media(site: Site, taken: set[int]) -> dict[int, int]:
    """Port id -> fabric id of declared ports that are linked to their fabric."""
    ports = Port.objects.filter(node__site=site, declared=True, fabric__isnull=False)
    return {port: fabric for port, fabric in ports.values_list("id", "fabric_id") if port not in taken}


def _row(site: Site, link: WantedLink) -> Link:
    return Link(
        site=site,
        a_id=link.ends[0],
        b_id=link.ends[1],
        fabric_id=link.fabric_id,
        declared=link.declared,
        evidence=link.evidence,
        conflicts=link.conflicts,
    )


def _medium(site: Site, port: int, fabric: int) -> Link:
    evidence = [site_file_evidence(site.imported_at.isoformat())]
    return Link(site=site, a_id=port, b_id=None, fabric_id=fabric, evidence=evidence)


def _adopt(links: Iterable[WantedLink]) -> None:
    """Assign undeclared ports to the fabric of their discovered cable."""
    by_fabric: dict[int, list[int]] = {}
    for link in links:
        if not link.declared:
            by_fabric.setdefault(link.fabric_id, []).extend(link.ends)
    for fabric, ports in by_fabric.items():
        Port.objects.filter(pk__in=ports, fabric=None, management=False).update(fabric_id=fabric)


def _known(joined: Mapping[Ends, Link], pair: Ends) -> bool:
    return pair in joined and bool(joined[pair].conflicts)


def _update(joined: Mapping[Ends, Link], links: Mapping[Ends, WantedLink]) -> bool:
    changed = []
    for pair, row in joined.items():
        link = links.get(pair)
        if link is not None and (row.evidence, row.conflicts) != (link.evidence, link.conflicts):
            row.evidence, row.conflicts = link.evidence, link.conflicts
            changed.append(row)
    Link.objects.bulk_update(changed, ["evidence", "conflicts"], batch_size=BATCH)
    return bool(changed)
