"""Differences on a node by prefix, as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from backstay.core.model.plan import RouteDifference
from backstay.core.model.routing import (
    Address,
    Detection,
    Hop,
    NodeRouting,
    ObservedRouting,
    PolicyRoute,
    Prefix,
    RunningHop,
    RunningRoute,
)

Route = TypeVar("Route", PolicyRoute, RunningRoute)
Names = Mapping[Address, str]
"""Address -> name of the owner."""


def differences(
    names: Names,
    desired: NodeRouting,
    observed: ObservedRouting,
    confirmed: NodeRouting | None,
    returned: Iterable[RunningRoute] = (),
) -> tuple[RouteDifference, ...]:
    """Managed or formerly managed prefixes whose gateways, preferences or detection change; `returned`: the
    operator's routes that come back.

    A checker that currently prefers a fallback does not make a difference. A confirmed prefix that is no
    longer desired makes one even if it does not run: the node's confirmed routing changes.
    """
    was = confirmed.routes if confirmed is not None else ()
    running, desired_by, was_by = by_prefix(observed.routes), by_prefix(desired.routes), by_prefix(was)
    returned_by = by_prefix(returned)
    found = []
    for prefix in dict.fromkeys([*desired_by, *was_by]):
        wanted, past = desired_by.get(prefix, []), was_by.get(prefix, [])
        now = first_of(running, prefix)
        old, new = _changed_detection(past, wanted)
        retired = bool(past) and not wanted
        if retired or old != new or not (_same(wanted, now) or _switched(wanted, past, now)):
            hops: list[Hop | RunningHop] = [hop for route in wanted for hop in route.hops]
            hops += first_of(returned_by, prefix).hops if retired else ()
            before, after = format_hops(names, now.hops), format_hops(names, hops)
            found.append(RouteDifference(str(prefix), (*before, *old), (*after, *new)))
    return tuple(found)


def _changed_detection(
    was: list[PolicyRoute], wanted: list[PolicyRoute]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Old and new detection settings if they differ; otherwise empty."""
    if not (was and wanted):
        return (), ()
    old = tuple(_detection(route) for route in was)
    new = tuple(_detection(route) for route in wanted)
    return ((), ()) if old == new else (old, new)


def _detection(route: PolicyRoute) -> str:
    """`checker 50 ms x 3 to 10.9.0.1, back at once`."""
    timers = route.timers
    target = "" if route.target is None else f" to {route.target}"
    back = {"now": "at once", "after": f"after {timers.revert_after_s:g} s", "manual": "by hand"}[
        timers.revert
    ]
    held = f"{timers.recover_after} answers and {timers.hold_down_s:g} s held"
    return f"{route.detection} {timers.interval_ms} ms x {timers.fail_after}{target}, back {back} ({held})"


def format_hops(names: Names, hops: Iterable[Hop | RunningHop]) -> tuple[str, ...]:
    """`via grf1 10.1.0.16 pref 60`, best first."""
    return tuple(
        " ".join(
            filter(None, ("via", names.get(hop.address, ""), str(hop.address), f"pref {hop.preference}"))
        )
        for hop in sorted(hops, key=lambda hop: (hop.preference, int(hop.address)))
    )


def leader(route: PolicyRoute, running: RunningRoute) -> str | None:
    """The gateway that is first if the node runs exactly this route in any order; otherwise None."""
    now = _pairs(running.hops)
    return next((hop.gateway for hop in route.hops if _pairs(route.led_by(hop.gateway).hops) == now), None)


def by_prefix(routes: Iterable[Route]) -> dict[Prefix, list[Route]]:
    """Routes of each prefix in their order: a router may have thousands."""
    found: dict[Prefix, list[Route]] = {}
    for route in routes:
        found.setdefault(route.prefix, []).append(route)
    return found


def first_of(routes: Mapping[Prefix, Sequence[RunningRoute]], prefix: Prefix) -> RunningRoute:
    """The route of this prefix; without hops if there is none."""
    found = routes.get(prefix)
    return found[0] if found else RunningRoute(prefix, ())


def find(routes: Iterable[RunningRoute], prefix: Prefix) -> RunningRoute:
    """The same of a node with few routes."""
    return first_of(by_prefix(routes), prefix)


def _same(wanted: list[PolicyRoute], now: RunningRoute) -> bool:
    return _pairs(hop for route in wanted for hop in route.hops) == _pairs(now.hops)


def _switched(wanted: list[PolicyRoute], was: Iterable[PolicyRoute], now: RunningRoute) -> bool:
    return (
        len(wanted) == 1
        and wanted[0].detection is Detection.CHECKER
        and wanted[0] in was
        and leader(wanted[0], now) is not None
    )


def _pairs(hops: Iterable[Hop | RunningHop]) -> set[tuple[Address, int]]:
    return {(hop.address, hop.preference) for hop in hops}
