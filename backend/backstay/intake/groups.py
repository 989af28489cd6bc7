"""Stores the batches of several agents in one transaction; what cannot be stored so is left to `batches`.

A group that fails for any reason is rolled back as a whole: its batches are then stored alone, so that one
agent's fault stays its own.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from backstay.intake.batches import evaluate
from backstay.live import publish
from backstay.policy import heartbeats
from backstay.policy.observation import CHANGED
from backstay.telemetry.facts import Facts
from backstay.telemetry.ingest import group, limits
from backstay.telemetry.ingest.batch import AdmittedBatch, Batch, Outcome, prepare_days

log = logging.getLogger(__name__)


def store_group(batches: Sequence[Batch]) -> list[Outcome | None]:
    """Store batches of different agents; the outcome of each, or None if it must be stored alone.

    Never raises. `telemetry.ingest.group.can_join` holds for each batch.
    """
    try:
        stored = _stored(batches)
    except Exception as problem:
        log.warning("%d batches are stored alone, as a group they failed: %s", len(batches), problem)
        stored = []
    outcomes = {id(one.batch): one.outcome for one in stored}
    return [outcomes.get(id(batch)) for batch in batches]


def _stored(batches: Sequence[Batch]) -> list[AdmittedBatch]:
    for batch in batches:
        prepare_days(batch)
    with limits.limited_group():
        admitted, found = _without_news(group.admit(batches))
        if not admitted:
            return []
        facts = {of_site.site_id: of_site for of_site in group.store(admitted)}
        sites = {one.sender.site_id: one.sender.site for one in admitted}
        for begun in heartbeats.write(found):
            of_site = facts.setdefault(begun, Facts(site_id=begun, received=batches[0].received))
            of_site.has_changed_paths = True
            publish.changed(sites[begun], CHANGED)
        for of_site in facts.values():
            evaluate(of_site, limits.GROUP_STORE_S, waits=False)
            publish.samples(sites[of_site.site_id], of_site.sampled)
        return admitted


def _without_news(admitted: Sequence[AdmittedBatch]) -> tuple[list[AdmittedBatch], heartbeats.Plain]:
    """The batches without those whose paths have news, and the plain reports of their paths."""
    paths = {one.sender.agent: one.paths for one in admitted}
    sites = {one.sender.site_id for one in admitted}
    found, news = heartbeats.read([seen for of_agent in paths.values() for seen in of_agent], sites)
    if not news:
        return list(admitted), found
    changed = {seen.node_id for seen in news}
    agents = {agent for agent, seen in paths.items() if not changed.isdisjoint(one.node_id for one in seen)}
    left = {seen.node_id for agent in agents for seen in paths[agent]}
    return [one for one in admitted if one.sender.agent not in agents], found.without(left)
