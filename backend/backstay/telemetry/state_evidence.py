"""Keeps what lists sort by and what several reports decide: evidence of circuits and of extension nodes.

A report that can change it calls `judge_metrics` or `judge_arp` in its own transaction. An import calls
`refresh`, and each round of the site does: after a rewiring and an upgrade.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any

from django.db import transaction

from backstay.core.model.topology import Topology
from backstay.core.planning.extension.checks import Attachment, check
from backstay.core.planning.extension.compare import extension_state
from backstay.inventory import snapshot
from backstay.inventory.advisory_locks import LockClass, lock_until_commit
from backstay.inventory.circuits import judge_declared
from backstay.inventory.models import Site
from backstay.telemetry.evidence_models import ExtensionEvidence, JudgedSite
from backstay.telemetry.selectors.evidence import subsets
from backstay.telemetry.selectors.extension import ExtensionReading, extension_readings
from backstay.telemetry.states import circuit_evidence


def refresh(site: Site, *_: datetime | None) -> None:
    """Compute everything again if the site's version or a node's ARP changed; one query if not."""
    if _is_current(site):
        return
    with transaction.atomic():
        lock_until_commit(LockClass.JUDGED, site)
        site.refresh_from_db(fields=["version"])
        known = JudgedSite.objects.filter(site=site).first()
        if known is None or known.version != site.version:
            # Not from the cache: an import that is rolled back must not leave its version there.
            topology = snapshot.read(site)
            judge_declared(site, topology)
            circuit_evidence.judge(site)
            _judge_extensions(site, topology=topology)
        elif known.is_due:
            _judge_extensions(site)
        stored = {"version": site.version, "is_due": False}
        JudgedSite.objects.update_or_create(site=site, defaults=stored)


def judge_metrics(site_id: int, nodes: Collection[int]) -> None:
    """After a change of the metrics of these devices that circuits or extension nodes depend on."""
    if nodes:
        site = _locked(site_id)
        circuit_evidence.judge(site, nodes)
        _judge_extensions(site, nodes)


def judge_arp(site_id: int) -> None:
    """After a change of the ports on which a node runs ARP: the next round computes extension nodes again.

    Not here, because all nodes of a switch may report that at once.
    """
    JudgedSite.objects.filter(site=site_id, is_due=False).update(is_due=True)


def _locked(site_id: int) -> Site:
    site = Site.objects.get(pk=site_id)
    lock_until_commit(LockClass.JUDGED, site)
    return site


def _is_current(site: Site) -> bool:
    return JudgedSite.objects.filter(site=site, version=site.version, is_due=False).exists()


def _judge_extensions(
    site: Site, nodes: Collection[int] | None = None, topology: Topology | None = None
) -> None:
    """Store the state of these extension nodes, or of all of the site; `topology`: if already read."""
    readings = extension_readings(site, nodes, topology)
    wanted = {_key(row): row for reading in readings.values() for row in _evidence(reading)}
    rows = ExtensionEvidence.objects.filter(node__site=site)
    stored = {_key(row): row for row in (rows if nodes is None else rows.filter(node__in=nodes))}
    gone = [row.pk for key, row in stored.items() if key not in wanted]
    ExtensionEvidence.objects.filter(pk__in=gone).delete()
    ExtensionEvidence.objects.bulk_create(
        [row for key, row in wanted.items() if key not in stored or _values(row) != _values(stored[key])],
        update_conflicts=True,
        unique_fields=["node", "current"],
        update_fields=["stale", "state", "place", "address"],
    )


def _evidence(reading: ExtensionReading) -> Iterator[ExtensionEvidence]:
    wanted = reading.wanted
    checks = check(Attachment(reading.known, reading.node_name, wanted))
    for current, stale in subsets(tuple(reading.row)):
        yield ExtensionEvidence(
            node_id=reading.node,
            current=current,
            stale=stale,
            state=extension_state(reading.at(current).attributes, checks)[0],
            place=None if wanted.slot is None else str(wanted.slot),
            address=None if wanted.interface is None else str(wanted.interface),
        )


def _key(row: ExtensionEvidence) -> tuple[int, tuple[str, ...]]:
    return row.node_id, tuple(row.current)


def _values(row: ExtensionEvidence) -> tuple[Any, ...]:
    return tuple(row.stale), row.state, row.place, row.address
