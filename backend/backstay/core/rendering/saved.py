"""Collect gateways from a file into the routes of the next boot."""

from __future__ import annotations

from collections.abc import Iterable

from backstay.core.model.routing import Address, Prefix, RunningHop, RunningRoute

Found = tuple[Prefix, Address, str, int]
"""(prefix, gateway, port or empty, preference in Backstay's terms)."""


def routes(found: Iterable[Found]) -> tuple[RunningRoute, ...]:
    """One route per prefix, by prefix; hops in order of preference. No hop is active, because files do not
    forward.
    """
    hops: dict[Prefix, set[tuple[int, Address, str]]] = {}
    for prefix, address, port, preference in found:
        hops.setdefault(prefix, set()).add((preference, address, port))
    return tuple(
        RunningRoute(
            prefix, tuple(RunningHop(address, port, preference) for preference, address, port in entry)
        )
        for prefix, entry in sorted(
            ((prefix, sorted(hop, key=_place)) for prefix, hop in hops.items()),
            key=lambda item: (item[0].version, int(item[0].network_address), item[0].prefixlen),
        )
    )


def _place(hop: tuple[int, Address, str]) -> tuple[int, int, str]:
    return hop[0], int(hop[1]), hop[2]
