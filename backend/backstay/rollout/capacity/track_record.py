"""Predictions of the study compared with the loads after a failover, as switches of paths reveal it.

`follow` runs once a minute before the study is computed again: the stored study is then the last one from
before a switch that was reported since. Nothing else triggers it, so that a thousand switches at once cost
their ingest nothing. A failover that cannot be compared is recorded with the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q

from backstay.core.formatting import count, duration, part_of
from backstay.core.planning.whatif.prediction_error import (
    Direction,
    LoadError,
    PredictedLoad,
    load_errors,
    summarise,
    unmoved,
)
from backstay.core.thresholds import CAPACITY_STALE_AFTER_S
from backstay.inventory.models import Site
from backstay.policy.capacity_models import CapacityFailure
from backstay.policy.models import Path, PathSwitch, PolicyGateway
from backstay.policy.track_record_models import PredictionCheck
from backstay.rollout.capacity.measured import CapacityInputs, capacity_inputs
from backstay.rollout.models import Move

SETTLE = timedelta(seconds=60)
"""After the last switch: transport protocols have found their rates on the new path."""
PATIENCE = timedelta(minutes=10)
"""After the settling: loads or reports that have not arrived by then are unknown."""
LOOKBACK = timedelta(hours=1)
"""Older switches that are reported now are not compared: as long as `policy.switches` accepts late ones."""
JOIN = timedelta(seconds=60)
"""Switches so shortly before the first known one belong to the same failover."""


@dataclass(frozen=True, slots=True)
class Switch:
    """A path's switch from one gateway to another."""

    path: int
    policy: str
    start: str
    end: str
    at: datetime
    is_worse: bool
    """Whether it moved down the path's order: away from a gateway that failed, or for a drill."""


def follow(site: Site, now: datetime) -> None:
    """Record new failovers of gateways, and advance those that are not decided or not over."""
    checks = list(PredictionCheck.objects.filter(site=site).filter(_is_current(now)).order_by("started_at"))
    switches = list(_switches(site, checks, now))
    for switch in switches:
        if switch.is_worse and switch.at >= now - LOOKBACK and not _covered(checks, switch):
            checks.append(_begin(site, switch))
    for check in checks:
        check.ended_at = check.ended_at or _first_return(check, switches)
    departures = {id(check): [item for item in switches if _belongs(check, item)] for check in checks}
    inputs: CapacityInputs | None = None
    for check in checks:
        if check.state == "pending":
            mine = departures[id(check)]
            if _is_overlapped(check, checks):
                _reject(check, "Another gateway's traffic moved at the same time.")
                continue
            if inputs is None and _is_due(check, mine, site, now):
                inputs = capacity_inputs(site, now)
            _advance(site, check, mine, inputs, now)
    with transaction.atomic():
        for check in checks:
            check.save()


def _is_current(now: datetime) -> Q:
    return Q(state="pending") | Q(ended_at=None) | Q(ended_at__gte=now - LOOKBACK)


def _switches(site: Site, checks: Collection[PredictionCheck], now: datetime) -> Iterator[Switch]:
    """The recent ones, and returns to gateways whose failover is not over, by time."""
    open_checks = [check for check in checks if check.ended_at is None or check.state == "pending"]
    oldest = min((check.started_at for check in open_checks), default=now)
    wanted = Q(at__gte=now - LOOKBACK)
    wanted |= Q(at__gte=oldest, to_gateway__in={check.gateway for check in open_checks})
    rows = (
        PathSwitch.objects.filter(wanted, path__policy__site=site)
        .exclude(to_gateway="")
        .order_by("at", "pk")
        .values_list(
            "path_id",
            "path__policy_id",
            "path__policy__name",
            "path__order",
            "from_gateway",
            "to_gateway",
            "at",
        )
    )
    orders: dict[int, dict[int, str]] = {}
    gateways = PolicyGateway.objects.filter(policy__site=site).order_by("order")
    for policy_id, node_id, name in gateways.values_list("policy_id", "node_id", "node__name"):
        orders.setdefault(policy_id, {})[node_id] = name
    for path, policy_id, policy, own, start, end, at in rows:
        names = orders.get(policy_id, {})
        order = [names[node] for node in own if node in names] if own else list(names.values())
        yield Switch(path, policy, start, end, at, _is_worse(order, start, end))


def _is_worse(order: list[str], start: str, end: str) -> bool:
    return start in order and end in order and order.index(end) > order.index(start)


def _covered(checks: Iterable[PredictionCheck], switch: Switch) -> bool:
    return any(_belongs(check, switch) for check in checks)


def _belongs(check: PredictionCheck, switch: Switch) -> bool:
    """Whether it is a departure of this failover."""
    return (
        switch.is_worse
        and switch.start == check.gateway
        and switch.at >= check.started_at - JOIN
        and (check.ended_at is None or switch.at <= check.ended_at)
    )


def _first_return(check: PredictionCheck, switches: Iterable[Switch]) -> datetime | None:
    back = (item.at for item in switches if item.end == check.gateway and item.at > check.started_at)
    return min(back, default=None)


def _begin(site: Site, switch: Switch) -> PredictionCheck:
    """A new failover with the prediction from before it, or the reason why there is none."""
    check = PredictionCheck(site=site, gateway=switch.start, started_at=switch.at, last_switch_at=switch.at)
    row = (
        CapacityFailure.objects.select_related("result")
        .filter(result__site=site, kind="node", name=switch.start)
        .first()
    )
    if row is None or row.result.computed_at is None:
        _reject(check, f"The study has no failure of {switch.start}.")
    elif row.result.computed_at >= switch.at:
        _reject(check, "The study from before the failover was replaced before the switch was reported.")
    else:
        _adopt(check, row)
    return check


def _adopt(check: PredictionCheck, row: CapacityFailure) -> None:
    checked_at = row.result.checked_at or row.result.computed_at
    age_s = 0.0 if checked_at is None else (check.started_at - checked_at).total_seconds()
    check.predicted_at, check.verdict = row.result.computed_at, row.verdict
    expected: Counter[str] = Counter()
    for move in row.detail["moves"]:
        gateway = move["from_gateway"]
        if move["outcome"] == "moved" and gateway and gateway["name"] == check.gateway:
            expected[move["policy"]] += move["nodes"]
    check.expected = dict(expected)
    check.links = [
        {**lane, "measured_bps": None, "error_share": None, "error_relative": None}
        for lane in row.detail["links"]
        if lane["after_bps"] > lane["before_bps"]
    ]
    if age_s > CAPACITY_STALE_AFTER_S:
        _reject(check, f"The last study was {duration(age_s)} old when the failover began.")
    elif row.detail["moves_total"] > len(row.detail["moves"]):
        _reject(check, "The study's list of moves is not complete.")
    elif not expected or not check.links:
        _reject(check, "No link was predicted to gain load.")


def _reject(check: PredictionCheck, reason: str) -> None:
    check.state, check.reason = "not_measured", reason
    check.median_error = check.worst_error = None


def _settled_at(site: Site, check: PredictionCheck) -> datetime:
    """From then on the newest interval's mean is of after the last switch only."""
    return check.last_switch_at + max(SETTLE, timedelta(seconds=site.interval_s))


def _is_due(check: PredictionCheck, departures: list[Switch], site: Site, now: datetime) -> bool:
    """Whether its loads are to be read now."""
    _count(check, departures)
    return check.measured_at is None and now >= _settled_at(site, check)


def _count(check: PredictionCheck, departures: list[Switch]) -> None:
    if departures:
        first, last = departures[0].at, departures[-1].at
        check.started_at = min(check.started_at, first)
        check.last_switch_at = max(check.last_switch_at, last)
    check.moved_nodes = max(check.moved_nodes, len({item.path for item in departures}))


def _advance(
    site: Site,
    check: PredictionCheck,
    departures: list[Switch],
    inputs: CapacityInputs | None,
    now: datetime,
) -> None:
    """One step: wait until the loads have settled, read them, then wait for the proof that it lasted."""
    _count(check, departures)
    paths = {item.path for item in departures}
    if check.drill_id is None:
        check.drill_id = _drill_of(check, paths)
    if check.predicted_at is not None and check.predicted_at >= check.started_at:
        _reject(check, "The first switch was before the study.")
    elif check.ended_at is not None and (check.measured_at is None or check.ended_at <= check.measured_at):
        lasted = duration((check.ended_at - check.started_at).total_seconds())
        _reject(check, f"It lasted {lasted}: too short to measure.")
    elif check.measured_at is not None:
        _confirm(site, check, paths, now)
    elif inputs is not None and now >= _settled_at(site, check):
        _measure(site, check, departures, inputs, now)


def _drill_of(check: PredictionCheck, paths: Collection[int]) -> int | None:
    moves = Move.objects.filter(path__in=paths, drill__isnull=False, at__lte=check.last_switch_at)
    moves = moves.filter(at__gte=check.started_at - LOOKBACK)
    near = Q(moved_at=None) | Q(moved_at__gte=check.started_at - JOIN)
    return moves.filter(near).values_list("drill_id", flat=True).first()


def _measure(
    site: Site, check: PredictionCheck, departures: list[Switch], inputs: CapacityInputs, now: datetime
) -> None:
    is_late = now > _settled_at(site, check) + PATIENCE
    moved = Counter(policy for _, policy in {(item.path, item.policy) for item in departures})
    if missing := unmoved(check.expected, moved):
        if is_late:
            total = sum(check.expected.values())
            _reject(check, f"{part_of(missing, total, 'node')} that would move did not move.")
        return
    errors, at = _compare(check, inputs, _settled_at(site, check))
    summary = summarise(errors)
    if summary is None or at is None:
        if is_late:
            unknown = sum(error.share is None for error in errors)
            _store_errors(check, errors)
            _reject(check, f"The load of {part_of(unknown, len(errors), 'link direction')} is unknown.")
        return
    _store_errors(check, errors)
    check.median_error, check.worst_error, check.measured_at = summary.median, summary.worst, at


def _compare(
    check: PredictionCheck, inputs: CapacityInputs, settled_at: datetime
) -> tuple[list[LoadError], datetime | None]:
    """Errors of the links, and the newest sample that they are from; None: no link has one."""
    predicted = [
        PredictedLoad(_direction(lane), _carried(lane), lane["usable_rate"], lane["is_measured"])
        for lane in check.links
    ]
    measured: dict[Direction, int | None] = {}
    times: list[datetime] = []
    for link_id, is_back in (item.direction for item in predicted):
        link = inputs.topology.links.get(link_id)
        ports = () if link is None else tuple(port for port in (link.a, link.b) if port in inputs.rates)
        sampled = [inputs.rates[port].at for port in ports if port is not None]
        if sampled and min(sampled) >= settled_at:
            measured[link_id, is_back] = inputs.measured.links.get(link_id, (None, None))[is_back]
            times.append(max(sampled))
    return load_errors(predicted, measured), max(times, default=None)


def _carried(lane: dict[str, Any]) -> int:
    """A full link carries less than is sent, and so do those behind it; else all that is sent."""
    carried: int = lane.get("carried_bps", lane["after_bps"])
    return carried


def _direction(lane: dict[str, Any]) -> Direction:
    return lane["link"], lane["direction"] == "back"


def _store_errors(check: PredictionCheck, errors: Iterable[LoadError]) -> None:
    check.links = [
        {
            **lane,
            "measured_bps": error.measured_bps,
            "error_share": _rounded(error.share),
            "error_relative": _rounded(error.relative),
        }
        for lane, error in zip(check.links, errors, strict=True)
    ]


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _confirm(site: Site, check: PredictionCheck, paths: Collection[int], now: datetime) -> None:
    """The loads count once every path has reported after the samples: a return before them is known then."""
    if check.measured_at is None:
        return
    silent = len(paths) - Path.objects.filter(pk__in=paths, at__gte=check.measured_at).count()
    if not silent:
        check.state = "measured"
    elif now > _settled_at(site, check) + PATIENCE:
        _reject(check, f"{count(silent, 'node')} did not report whether it lasted.")


def _is_overlapped(check: PredictionCheck, checks: Iterable[PredictionCheck]) -> bool:
    """Whether another failover since the prediction may have moved load too."""
    return any(
        other is not check
        and check.predicted_at is not None
        and other.last_switch_at > check.predicted_at
        and (other.ended_at is None or other.ended_at >= check.started_at)
        for other in checks
    )
