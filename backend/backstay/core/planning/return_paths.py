"""The way back of a stripe: the fewest prefixes that lead each node's traffic over that node's gateways."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from backstay.core.model.routing import Address, Prefix

Order = tuple[int, ...]


def split(prefix: Prefix, orders: Mapping[Address, Order]) -> list[tuple[Prefix, Order]]:
    """`prefix` cut where the addresses' gateways differ; parts without any address are left out."""
    return list(
        _parts(prefix, sorted((int(item), order) for item, order in orders.items() if item in prefix))
    )


def _parts(prefix: Prefix, inside: Sequence[tuple[int, Order]]) -> Iterator[tuple[Prefix, Order]]:
    if len({order for _, order in inside}) > 1:
        lower, upper = prefix.subnets()
        middle = bisect_left(inside, (int(upper.network_address),))
        yield from _parts(lower, inside[:middle])
        yield from _parts(upper, inside[middle:])
    elif inside:
        yield prefix, inside[0][1]
