"""Digests of everything that groups of rules depend on, equal in every process for equal inputs.

They hold versions or values of the rows that a snapshot read, so that a digest is never newer than what the
rules see: a change that commits between two reads makes the next digest differ.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Literal

import numpy as np

from backstay.alerts.models import SiteRule
from backstay.alerts.selectors.site_snapshot import SiteSnapshot

InputGroup = Literal["faults", "samples"]
"""Rules about faults; rules that read newest samples and carriers."""


def digest_of(group: InputGroup, snapshot: SiteSnapshot, rules: Sequence[SiteRule]) -> bytes:
    """Of the inputs of a group of rules of the site, `rules`."""
    found = hashlib.blake2b(digest_size=16)
    found.update(_settings(snapshot, rules))
    found.update(snapshot.port_rows.digest)
    if group == "faults":
        found.update(_reporting(snapshot))
        found.update(b"".join(item.digest for item in snapshot.known_paths))
        found.update(repr(sorted(snapshot.holds)).encode())
    else:
        found.update(snapshot.known_samples.versions.digest())
    return found.digest()


def is_settled(group: InputGroup, snapshot: SiteSnapshot) -> bool:
    """Whether no finding can follow from the inputs by time alone: nothing is wrong that may become a fault.

    Samples only become too old to show anything. Of faults, carriers, routes and probes count for some time
    before they do.
    """
    seen = snapshot.observations
    return group == "samples" or not (seen.unhealthy or seen.down_ports or seen.last_down_ports)


def _settings(snapshot: SiteSnapshot, rules: Sequence[SiteRule]) -> bytes:
    """Of the topology, whose version every import and rewiring increments, and of the rules' parameters."""
    site, overrides = snapshot.site, snapshot.rule_overrides
    rows = [
        (row.kind, row.enabled, row.severity, sorted(row.parameters.items()), overrides.get(row.pk, ()))
        for row in sorted(rules, key=lambda row: row.kind)
    ]
    return repr((site.version, site.interval_s, rows)).encode()


def _reporting(snapshot: SiteSnapshot) -> bytes:
    """Which nodes are collected by whom, have reported, report now, and are missing: as decided at this time,
    so that a deadline that passes is a change."""
    known = sorted(snapshot.nodes.items())
    fresh, silent = snapshot.fresh_nodes, snapshot.silent_nodes
    values = [
        (
            node,
            item.watcher_id or 0,
            item.report_times.watched,
            item.report_times.at is not None,
            node in fresh,
            node in silent,
        )
        for node, item in known
    ]
    return np.array(values, np.int64).tobytes()
