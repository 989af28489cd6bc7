"""Differences on a node by prefix, as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from backstay.core.model.plan import Difference
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

Names = Mapping[Address, str]
"""Address -> name of the owner."""


def differences(
    names: Names, desired: NodeRouting, observed: ObservedRouting, confirmed: NodeRouting | None
) -> tuple[Difference, ...]:
    """Managed or formerly managed prefixes whose gateways, preferences or detection change.

    A checker that currently prefers a fallback does not make a difference. A confirmed prefix that is no
    longer desired makes one even if it does not run: the node's confirmed routing changes.
    """
    was = confirmed.routes if confirmed is not None else ()
    running = {route.prefix: route for route in observed.routes}
    found = []
    for prefix in dict.fromkeys(route.prefix for route in (*desired.routes, *was)):
        wanted = [route for route in desired.routes if route.prefix == prefix]
        now = running.get(prefix, RunningRoute(prefix, ()))
        old, new = _changed_detection([route for route in was if route.prefix == prefix], wanted)
        retired = not wanted and any(route.prefix == prefix for route in was)
        if retired or old != new or not (_same(wanted, now) or _switched(wanted, was, now)):
            hops = [hop for route in wanted for hop in route.hops]
            before, after = format_hops(names, now.hops), format_hops(names, hops)
            found.append(Difference(str(prefix), (*before, *old), (*after, *new)))
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


def find(routes: Iterable[RunningRoute], prefix: Prefix) -> RunningRoute:
    """The route of this prefix; without hops if there is none."""
    return next((route for route in routes if route.prefix == prefix), RunningRoute(prefix, ()))


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
