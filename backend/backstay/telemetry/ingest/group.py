"""Stores the batches of several agents in the caller's transaction, with the statements of one.

`admit` locks those agents that no other transaction has locked, and never waits for one. `store` writes what
`batch` writes, once for all of them. A group holds only reports whose storing is the same for all agents and
needs no lock of a site; everything else is stored alone, by `batch.store_reports`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields

from backstay.telemetry.facts import Facts
from backstay.telemetry.ingest.batch import AdmittedBatch, Batch, finish, without_known, write
from backstay.telemetry.ingest.clock import Correction
from backstay.telemetry.ingest.senders import assignments_of, lock_free_senders
from backstay_wire import (
    CollectorReport,
    DaemonReport,
    DeviceReport,
    HostNetworkReport,
    MetricReport,
    PathReport,
    PortSamples,
    Report,
)

MOST_REPORTS = 32
"""Of one batch: a backlog is stored alone. A quiet agent sends about 15 at a time."""
KINDS = frozenset(
    {
        PortSamples,
        DeviceReport,
        CollectorReport,
        MetricReport,
        DaemonReport,
        HostNetworkReport,
        PathReport,
    }
)


class NotTogetherError(Exception):
    """A metric changed that circuits or extension nodes depend on: that takes a lock of the site."""


def can_join(batch: Batch) -> bool:
    """Whether a batch may be stored in a group: it is small, has no event, and needs no correction."""
    return (
        0 < len(batch.reports) <= MOST_REPORTS
        and not batch.malformed
        and not batch.sanitised
        and not batch.correction.shift_ns
        and all(_is_plain(report) for _, report in batch.reports)
    )


def admit(batches: Iterable[Batch]) -> list[AdmittedBatch]:
    """The batches that can be stored now, without reports that are stored already; their agents are locked.

    Left out: agents that are locked, unknown or revoked, or whose devices other agents report too.
    """
    by_agent = {batch.agent: batch for batch in batches}
    senders = lock_free_senders(by_agent)
    assignments = assignments_of(senders)
    return without_known(
        [
            AdmittedBatch.of(by_agent[sender.agent], sender, assignments[sender.agent].devices)
            for sender in senders
            if not assignments[sender.agent].shared
        ]
    )


def store(batches: Sequence[AdmittedBatch]) -> list[Facts]:
    """Store the batches, except for paths; the facts of each site.

    NotTogetherError, store.OverlapError, or as `batch.store_reports`: the caller must roll back.
    """
    received = max(one.batch.received for one in batches)
    facts = Facts(site_id=0, received=received)
    newest_ns = max(one.correction.received_ns for one in batches)
    written = write(batches, Correction(newest_ns, None), facts)
    if written.judged:
        raise NotTogetherError
    finish(batches, written, facts)
    sites = {item.node: one.sender.site_id for one in batches for item in one.accepted}
    sites |= {one.sender.host: one.sender.site_id for one in batches if one.sender.host is not None}
    return _by_site(facts, sites)


def _is_plain(report: Report) -> bool:
    if isinstance(report, PathReport):
        return report.switch is None and report.outage is None
    return type(report) in KINDS


def _by_site(facts: Facts, sites: Mapping[int, int]) -> list[Facts]:
    """`sites`: node id -> site id."""
    found: dict[int, Facts] = {}
    for field in fields(facts):
        values = getattr(facts, field.name)
        if not isinstance(values, Collection):
            continue
        for value in values:
            node = value if isinstance(value, int) else value.node_id
            site = sites[node]
            own = getattr(found.setdefault(site, Facts(site_id=site, received=facts.received)), field.name)
            own.add(value) if isinstance(own, set) else own.append(value)
    return list(found.values())
