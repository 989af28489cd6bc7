"""The minute's study: every single failure of a site, stored where pages and alert rules read it."""

from __future__ import annotations

import hashlib
import logging
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from django.db import OperationalError, transaction

from backstay.core.planning.whatif.fallback_verdict import MOST_LANES, FallbackOutcome
from backstay.core.planning.whatif.packet_rates import MeasuredPackets
from backstay.inventory.models import Site
from backstay.policy.capacity_models import GROUP, MOST_FAILURES, CapacityFailure, CapacityResult
from backstay.rollout.capacity.evaluation import SiteCapacity, study
from backstay.rollout.capacity.measured import CapacityInputs, capacity_inputs
from backstay.rollout.capacity.records import Recorder

log = logging.getLogger(__name__)
NOTICEABLE = 0.01
"""Change of a link's load, as a share of its usable rate, from which on the result is computed again."""
OLDEST = timedelta(minutes=10)
"""A result is computed again after this time whatever its inputs."""
_LARGEST = 10_000.0
"""Share of a limit from which on the fingerprint, of half precision, treats all as equal."""
LANES_KEPT = 20_000
"""Directions of links that a study stores of all its failures: each lists fewer, the more there are."""
LEAST_LANES = 20
_RANKS = {"would_not_hold": 0, "unknown": 1, "holds": 2}
_VALUES = (
    "kind", "name", "verdict", "since", "rank", "reason", "has_fallback", "worst_link", "worst_utilisation",
    "worst_gateway", "worst_packet_share", "moved_nodes", "moved_bps", "cut_off_nodes", "cut_off_bps",
    "redundancy_lost", "growth_percent", "detail",
)  # fmt: skip


def refresh(site: Site, now: datetime) -> bool:
    """Compute and store the site's result if its inputs changed noticeably; whether it was computed.

    A failure is recorded in the result, which keeps its last values and its age. Raises OperationalError.
    """
    result, _ = CapacityResult.objects.get_or_create(site=site)
    try:
        return _refresh(site, result, now)
    except OperationalError:
        raise
    except Exception as cause:
        log.exception("the capacity of %s cannot be computed", site.name)
        result.error = f"{type(cause).__name__}: {cause}"[:1000]
        result.failing_since = result.failing_since or now
        result.save(update_fields=["error", "failing_since"])
        return False


def _refresh(site: Site, result: CapacityResult, now: datetime) -> bool:
    started = time.process_time()
    inputs = capacity_inputs(site, now)
    fingerprint = _fingerprint(inputs)
    if _is_alike(result, fingerprint, now):
        CapacityResult.objects.filter(pk=result.pk).update(checked_at=now, error="", failing_since=None)
        return False
    found = study(site, inputs)
    _store(result, found, _studied(found), now)
    result.inputs, result.cpu_ms = fingerprint.stored, (time.process_time() - started) * 1000
    result.save()
    return True


@dataclass(frozen=True, slots=True)
class _Fingerprint:
    """Loads as shares of the usable rates, and a digest of topology and routes."""

    digest: str
    loads: np.ndarray[Any, np.dtype[np.float16]]
    """By link and direction, then of packets; NaN: unknown."""

    @property
    def stored(self) -> dict[str, str]:
        return {"digest": self.digest, "loads": self.loads.tobytes().hex()}


def _fingerprint(inputs: CapacityInputs) -> _Fingerprint:
    topology = inputs.topology
    shares = [
        np.nan if bps is None else bps / max(topology.fabrics[topology.links[link].fabric_id].usable_rate, 1)
        for link in sorted(topology.links)
        for bps in inputs.measured.links.get(link, (None, None))
    ]
    known = hashlib.blake2b(digest_size=16)
    known.update(repr(sorted(topology.fabrics.items())).encode())
    known.update(repr(sorted(topology.links.items())).encode())
    for node, routing in sorted(inputs.routes.items()):
        known.update(repr((node, routing.routes)).encode())
    known.update(repr(sorted(inputs.measured.demand)).encode())
    for risk in inputs.risks:
        known.update(repr((risk.name, risk.kind, sorted(risk.members), risk.missing)).encode())
    packets = inputs.measured.packets
    if packets.limits:
        known.update(repr((sorted(packets.limits.items()), sorted(packets.demand))).encode())
        shares += _packet_shares(packets)
    return _Fingerprint(known.hexdigest(), np.array(shares, np.float16))


def _packet_shares(packets: MeasuredPackets) -> list[float]:
    """Rates of the gateways as shares of their limits, and all demand as a share of the least limit."""
    shares = [packets.gateways.get(node, np.nan) / limit for node, limit in sorted(packets.limits.items())]
    shares.append(sum(map(sum, packets.demand.values())) / min(packets.limits.values()))
    return [float(share) for share in np.minimum(shares, _LARGEST)]


def _is_alike(result: CapacityResult, fingerprint: _Fingerprint, now: datetime) -> bool:
    if result.computed_at is None or now - result.computed_at >= OLDEST or result.error:
        return False
    if result.inputs.get("digest") != fingerprint.digest:
        return False
    before = np.frombuffer(bytes.fromhex(result.inputs.get("loads", "")), np.float16).astype(np.float32)
    after = fingerprint.loads.astype(np.float32)
    if before.shape != after.shape or not np.array_equal(np.isnan(before), np.isnan(after)):
        return False
    return bool(np.nanmax(np.abs(after - before), initial=0.0) < NOTICEABLE)


@dataclass(frozen=True, slots=True)
class _Studied:
    """A failure and its identity in lists."""

    key: str
    kind: str
    name: str
    outcome: FallbackOutcome


def _studied(found: SiteCapacity) -> list[_Studied]:
    """Every single failure, and every shared risk."""
    recorder = Recorder(found.inputs.topology)
    alone = [
        _Studied(recorder.key(thing), thing[0], recorder.name([thing]), outcome)
        for outcome in found.single_failures()
        for thing in outcome.failed
    ]
    return alone + [
        _Studied(f"{GROUP}{risk.name}", risk.kind, risk.name, outcome)
        for risk, outcome in found.shared_failures()
    ]


@transaction.atomic
def _store(result: CapacityResult, found: SiteCapacity, studied: Sequence[_Studied], now: datetime) -> None:
    recorder = Recorder(found.inputs.topology)
    outcomes = [item.outcome for item in studied]
    kept = sorted(studied, key=_importance)[:MOST_FAILURES]
    known = dict(result.failures.values_list("key", "verdict"))
    since = dict(result.failures.values_list("key", "since"))
    rows = []
    most_lanes = min(max(LANES_KEPT // max(len(kept), 1), LEAST_LANES), MOST_LANES)
    for item in kept:
        row = _row(recorder, item, most_lanes)
        row.result = result
        row.since = since[row.key] if known.get(row.key) == row.verdict else now
        rows.append(row)
    result.failures.exclude(key__in=[row.key for row in rows]).delete()
    CapacityFailure.objects.bulk_create(
        rows,
        batch_size=500,
        update_conflicts=True,
        unique_fields=["result", "key"],
        update_fields=_VALUES,
    )
    result.computed_at = result.checked_at = found.inputs.at
    result.method = found.method
    result.counts = {
        "fallbacks": _counts(outcome for outcome in outcomes if outcome.has_fallback),
        "failures": _counts(outcomes),
        "single_attached": found.single_attached,
        "stored": len(rows),
    }
    intact = found.intact()
    result.intact = {"verdict": intact.verdict, "reason": intact.reason, **recorder.detail(intact)}
    result.unattributed_bps, result.carried_bps = found.unattributed()
    result.unknown_nodes = len(found.unknown_nodes)
    result.error, result.failing_since = "", None


def _importance(item: _Studied) -> tuple[bool, int, float, str, str]:
    """Shared risks, which few declare, are never left out: people choose them from the list."""
    return not item.key.startswith(GROUP), *_order(item.outcome), item.key


def _order(outcome: FallbackOutcome) -> tuple[int, float, str]:
    used = 0.0 if outcome.worst is None else outcome.worst.utilisation or 0.0
    packets = 0.0 if outcome.worst_gateway is None else outcome.worst_gateway.share
    return _rank(outcome), -max(used, packets), str(outcome.failed)


def _rank(outcome: FallbackOutcome) -> int:
    """Fallbacks that would not hold, then failures without a fallback, unknown ones, and those that hold."""
    return 2 * _RANKS[outcome.verdict] + (not outcome.has_fallback)


def _counts(outcomes: Iterable[FallbackOutcome]) -> dict[str, int]:
    found = Counter(outcome.verdict for outcome in outcomes)
    return {verdict: found[verdict] for verdict in ("holds", "would_not_hold", "unknown")}


def _row(recorder: Recorder, studied: _Studied, most_lanes: int) -> CapacityFailure:
    outcome = studied.outcome
    worst, gateway = outcome.worst, outcome.worst_gateway
    moved = [move for move in outcome.moves if move.outcome == "moved"]
    return CapacityFailure(
        key=studied.key,
        kind=studied.kind,
        name=studied.name[:300],
        verdict=outcome.verdict,
        rank=_rank(outcome),
        reason=outcome.reason,
        has_fallback=outcome.has_fallback,
        worst_link=None if worst is None else worst.link_id,
        worst_utilisation=None if worst is None else worst.utilisation,
        worst_gateway=None if gateway is None else gateway.node_id,
        worst_packet_share=None if gateway is None else gateway.share,
        moved_nodes=len({node for move in moved for node in move.nodes}),
        moved_bps=sum(move.out + move.back for move in moved),
        cut_off_nodes=len(outcome.cut_off),
        cut_off_bps=outcome.cut_off_bps,
        redundancy_lost=len(outcome.redundancy_lost),
        growth_percent=outcome.growth_percent,
        detail=recorder.detail(outcome, most_lanes),
    )
