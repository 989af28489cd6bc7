"""Observed paths: current state, switches and outages, as nodes report them.

Runs inside the ingest transaction. Reports may arrive late, twice or out of order: only a newer report
changes the current state; a switch is recorded once, by the agent's id, whenever it arrives.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from backstay.core.formatting import duration
from backstay.inventory.models import Site
from backstay.live import publish
from backstay.policy import decisions, switches
from backstay.policy.models import Path, PolicyGateway
from backstay.telemetry import events
from backstay.telemetry.facts import Facts, PathSeen


@dataclass(frozen=True, slots=True)
class Context:
    """A path and its site and gateways."""

    site: Site
    path: Path
    gateways: dict[str, int]
    """Name -> node id, in order of preference."""

    @property
    def subject(self) -> str:
        """`sp01: 0.0.0.0/0`."""
        return f"{self.path.node.name}: {self.path.policy.prefix}"


def observe(facts: Facts) -> None:
    """Update the paths of a batch and record their events. Skips removed policies and nodes."""
    if not facts.paths and not facts.decisions:
        return
    site = Site.objects.get(pk=facts.site_id)
    news = _observe_paths(site, facts) if facts.paths else False
    news |= decisions.record_all(site, facts.decisions)
    if news:
        publish.changed(site.name, {"paths", "topology", "links"})


def _observe_paths(site: Site, facts: Facts) -> bool:
    contexts = _contexts(site, facts.paths)
    news = False
    for seen in sorted(facts.paths, key=lambda path: path.at):
        context = contexts.get((seen.policy, seen.node_id))
        if context is not None:
            news |= _observe(context, seen)
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
    gateways: dict[int, dict[str, int]] = {}
    wanted = PolicyGateway.objects.filter(policy__in={path.policy_id for path in paths}).order_by("order")
    for policy, name, node in wanted.values_list("policy_id", "node__name", "node_id"):
        gateways.setdefault(policy, {})[name] = node
    return {
        (path.policy.name, path.node_id): Context(site, path, _own(path, gateways.get(path.policy_id, {})))
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
    moved = _record_move(context, seen, newer)
    if not newer:
        return moved
    _record_target(context, seen)
    reported = (path.active_text, path.target_alive, _facts(path.liveness))
    _store(context, seen)
    return moved or reported != (seen.active, seen.target_alive, _facts(seen.liveness))


def _record_move(context: Context, seen: PathSeen, newer: bool) -> bool:
    path = context.path
    if seen.switch is not None:
        return switches.record(context.site, path, context.gateways, seen.switch)
    if newer and path.at is not None and seen.active != path.active_text:
        switches.record_unseen(context.site, path, context.gateways, seen)
        return True
    return False


def _record_target(context: Context, seen: PathSeen) -> None:
    """Record that the target stopped or resumed responding while the route is installed."""
    path = context.path
    if not seen.active or seen.target_alive is None or seen.target_alive == path.target_alive:
        return
    through = f"{path.policy.target} {{}} via {seen.active}"
    if not seen.target_alive:
        text = through.format("is unreachable") + " (route still installed)"
        _record_event(context, seen, "path.dead", "critical", text)
    elif path.target_alive is False and path.active_text:
        after = "" if path.target_since is None else f" after {duration(_seconds(path, seen))}"
        _record_event(context, seen, "path.restored", "ok", through.format("is reachable again") + after)


def _seconds(path: Path, seen: PathSeen) -> float:
    assert path.target_since is not None
    return max((seen.at - path.target_since).total_seconds(), 0.0)


def _record_event(context: Context, seen: PathSeen, kind: str, severity: str, text: str) -> None:
    path = context.path
    data: dict[str, Any] = {
        "policy": path.policy.name,
        "prefix": path.policy.prefix,
        "path_id": path.pk,
        "active": seen.active,
        "target": path.policy.target,
    }
    events.record(
        context.site,
        kind,
        f"{context.subject}: {text}",
        at=seen.at,
        subject=path.node.name,
        severity=severity,
        node_id=path.node_id,
        data=data,
    )


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
    path.liveness = _dated(path.liveness, seen)
    path.save()


def _dated(before: dict[str, Any], seen: PathSeen) -> dict[str, Any]:
    """Gateway liveness, with the time of its last change."""
    dated = {}
    for name, reported in seen.liveness.items():
        known = before.get(name, {})
        same = known.get("alive") == reported["alive"] and known.get("since") is not None
        dated[name] = {**reported, "since": known["since"] if same else seen.at.isoformat()}
    return dated


def _facts(liveness: dict[str, Any]) -> dict[str, tuple[bool | None, bool | None]]:
    return {name: (reported.get("alive"), reported.get("forwards")) for name, reported in liveness.items()}
