"""Observed paths: current state, switches and outages, as nodes report them.

Runs inside the ingest transaction. Reports may arrive late, twice or out of order: only a newer report
changes the current state; switches and outages are recorded once, by the agent's id, whenever they arrive.
The periods without a report (`PathGap`) depend only on the set of reports.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection

from backstay.core.model.event_kinds import EventKind
from backstay.core.model.outage import OutageMeasure, max_silence
from backstay.inventory.models import Site
from backstay.live import publish
from backstay.policy import decisions, path_routes, switches
from backstay.policy.heartbeats import dated, read, states, write
from backstay.policy.models import Path, PathGap, PathOutage, PolicyGateway
from backstay.policy.outages import OutageRecorder
from backstay.policy.path_history import outage_of
from backstay.telemetry import events
from backstay.telemetry.facts import Facts, PathSeen
from backstay.telemetry.models import Event

# Rows in the order of their ids, as `_contexts` locks them.
_FORGET = """
UPDATE policy_path AS path SET observed_from = gone.at
FROM (SELECT path.id, removed.at FROM policy_path AS path
      JOIN unnest(%s::bigint[], %s::timestamptz[]) AS removed (id, at) ON removed.id = path.id
      WHERE path.observed_from < removed.at ORDER BY path.id FOR NO KEY UPDATE OF path) AS gone
WHERE path.id = gone.id
"""


CHANGED = frozenset({"paths", "topology", "links"})
"""What a client must read again after news of a path."""


@dataclass(frozen=True, slots=True)
class Context:
    """A path and its site and gateways."""

    site: Site
    path: Path
    gateways: dict[str, int]
    """Name -> node id, in order of preference."""
    outages: OutageRecorder

    @property
    def subject(self) -> str:
        """`sp01: 0.0.0.0/0`."""
        return f"{self.path.node.name}: {self.path.policy.prefix}"


def observe(facts: Facts) -> None:
    """Update the paths of a batch and record their events. Skips removed policies and nodes."""
    if not facts.paths and not facts.decisions:
        return
    if not facts.decisions and _are_plain(facts):
        return
    site = Site.objects.get(pk=facts.site_id)
    news = facts.has_changed_paths = _observe_paths(site, facts) if facts.paths else False
    news |= decisions.record_all(site, facts.decisions)
    if news:
        publish.changed(site.name, CHANGED)


def _are_plain(facts: Facts) -> bool:
    """Store the paths of a batch if none of its reports has news; otherwise False, and nothing is written."""
    plain, news = read(facts.paths, {facts.site_id})
    if news:
        return False
    if write(plain):
        facts.has_changed_paths = True
        publish.changed(Site.objects.get(pk=facts.site_id).name, CHANGED)
    return True


def _observe_paths(site: Site, facts: Facts) -> bool:
    contexts = _contexts(site, facts.paths)
    before = {context.path: context.path.active_id for context in contexts.values()}
    news = False
    for seen in sorted(facts.paths, key=lambda path: path.at):
        context = contexts.get((seen.policy, seen.node_id))
        if context is not None:
            news |= _observe(context, seen)
    moved = {path.node_id for path, active in before.items() if path.active_id != active}
    if moved and PolicyGateway.objects.filter(policy__site=site, node__in=moved).exists():
        path_routes.refresh(site)
    return news


def _contexts(site: Site, seen: list[PathSeen]) -> dict[tuple[str, int], Context]:
    """The paths, locked against concurrent reports; references to them are not blocked."""
    rows = (
        Path.objects.select_related("policy", "node")
        .filter(policy__site=site, policy__name__in={item.policy for item in seen})
        .filter(node_id__in={item.node_id for item in seen})
        .order_by("pk")
        .select_for_update(of=("self",), no_key=True)
    )
    paths = list(rows)
    outages = OutageRecorder([path.pk for path in paths])
    gateways: dict[int, dict[str, int]] = {}
    wanted = PolicyGateway.objects.filter(policy__in={path.policy_id for path in paths}).order_by("order")
    for policy, name, node in wanted.values_list("policy_id", "node__name", "node_id"):
        gateways.setdefault(policy, {})[name] = node
    return {
        (path.policy.name, path.node_id): Context(
            site, path, _own(path, gateways.get(path.policy_id, {})), outages
        )
        for path in paths
    }


def _own(path: Path, gateways: dict[str, int]) -> dict[str, int]:
    """The policy's gateways, this node's own order (stripe) first."""
    places = {node: place for place, node in enumerate(path.order or [])}
    return dict(sorted(gateways.items(), key=lambda gateway: places.get(gateway[1], len(places))))


def _observe(context: Context, seen: PathSeen) -> bool:
    """Whether the visible state changed."""
    path = context.path
    newer = path.at is None or seen.at >= path.at
    _cover(path, seen.at, max_silence(path.policy.probe_interval_ms, context.site.interval_s))
    outage = context.outages.observe(path, seen)
    moved = _record_move(context, seen, newer)
    if not newer:
        _state_outage(context, outage)
        return moved or outage is not None
    restored = _record_target(context, seen, outage)
    if not restored:
        _state_outage(context, outage)
    reported = (path.active_text, path.target_alive, states(path.liveness))
    _store(context, seen)
    return moved or outage is not None or reported != (seen.active, seen.target_alive, states(seen.liveness))


def _record_move(context: Context, seen: PathSeen, newer: bool) -> bool:
    path = context.path
    if seen.switch is not None:
        return switches.record(context.site, path, context.gateways, seen.switch)
    if newer and path.at is not None and seen.active != path.active_text:
        switches.record_unseen(context.site, path, context.gateways, seen)
        return True
    return False


def _cover(path: Path, at: datetime, longest: timedelta) -> None:
    """Add a report's time to the observed periods: a gap is what two consecutive reports are far apart."""
    if path.observed_from is None:
        path.observed_from = at
        Path.objects.filter(pk=path.pk).update(observed_from=at)
    first, last = path.observed_from, path.at or path.observed_from
    if at < first:
        Path.objects.filter(pk=path.pk).update(observed_from=at)
        path.observed_from = at
        spans = [(at, first)]
    elif at > last:
        spans = [(last, at)]
    else:
        split = PathGap.objects.filter(path=path, start__lt=at, end__gt=at)
        spans = [span for gap in split for span in ((gap.start, at), (at, gap.end))]
        if spans:
            split.delete()
    gaps = [PathGap(path=path, start=start, end=end) for start, end in spans if end - start > longest]
    if gaps:
        PathGap.objects.bulk_create(gaps)


def forget_history(ends: Mapping[int, datetime]) -> None:
    """Path id -> end of the newest record that is removed: what was before it is unknown from now on."""
    with connection.cursor() as cursor:
        cursor.execute(_FORGET, [list(ends), list(ends.values())])


def _record_target(context: Context, seen: PathSeen, outage: PathOutage | None) -> bool:
    """Record that the target stopped or resumed responding while the route is installed.

    `outage`: the one that this report ended. Returns whether the target resumed.
    """
    path = context.path
    if not seen.active or seen.target_alive is None or seen.target_alive == path.target_alive:
        return False
    if not seen.target_alive:
        if path.target_alive is None and path.pk in context.outages.continued:
            return False  # Its agent restarted within an outage whose event is recorded.
        text = f"{path.policy.target} is unreachable via {seen.active} (route still installed)"
        _record_event(context, seen.at, EventKind.PATH_DEAD, text, _target_data(path, seen.active))
        return False
    if (path.target_alive is None and not _is_estimate(outage)) or not path.active_text:
        return False
    text, data = _restored(context, seen.active, outage)
    event = _record_event(context, seen.at, EventKind.PATH_RESTORED, text, data)
    if outage is not None:
        PathOutage.objects.filter(pk=outage.pk).update(event_id=event)
    return True


def _is_estimate(outage: PathOutage | None) -> bool:
    """Whether the report ended an outage whose end no agent measured: its agent has restarted."""
    return outage is not None and outage.measured_by == OutageMeasure.REPORTS


def _state_outage(context: Context, outage: PathOutage | None) -> None:
    """Amend the event of an outage whose duration has become known."""
    if outage is None or outage.event_id is None:
        return
    event = Event.objects.filter(pk=outage.event_id).first()
    if event is not None:
        text, data = _restored(context, event.data["active"], outage)
        events.amend(context.site, event.pk, f"{context.subject}: {text}", data)


def _restored(context: Context, active: str, outage: PathOutage | None) -> tuple[str, dict[str, Any]]:
    path = context.path
    text, data = f"{path.policy.target} is reachable again via {active}", _target_data(path, active)
    if outage is None or outage.end is None:
        return text, data
    figure = outage_of(outage, path.at, outage.end, context.site.interval_s)
    return f"{text}, outage {figure.text}", {
        **data,
        "outage_id": outage.pk,
        "outage_ms": figure.duration_ms,
        "measured_by": figure.measured_by,
        "probe_interval_ms": figure.probe_interval_ms,
    }


def _target_data(path: Path, active: str) -> dict[str, Any]:
    return {
        "policy": path.policy.name,
        "prefix": path.policy.prefix,
        "path_id": path.pk,
        "active": active,
        "target": path.policy.target,
    }


def _record_event(context: Context, at: datetime, kind: EventKind, text: str, data: dict[str, Any]) -> int:
    """Id of the recorded event."""
    path = context.path
    event = events.record(
        context.site,
        kind,
        f"{context.subject}: {text}",
        at=at,
        subject=path.node.name,
        node_id=path.node_id,
        data=data,
    )
    return event.pk


def _store(context: Context, seen: PathSeen) -> None:
    path = context.path
    if seen.active != path.active_text or path.since is None:
        path.since = seen.switch.at if seen.switch is not None else seen.at
    if seen.target_alive != path.target_alive:
        path.target_since = seen.at
    path.active_id = context.gateways.get(seen.active)
    path.active_text = seen.active
    path.at = seen.at
    path.target_alive = seen.target_alive
    path.target_rtt_us = seen.target_rtt_us
    path.liveness = dated(path.liveness, seen)
    path.save()
