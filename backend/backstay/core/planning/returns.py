"""The way back of a stripe: the fewest prefixes that lead each node's traffic over that node's gateways."""

from __future__ import annotations

from collections.abc import Mapping

from backstay.core.model.routing import Address, Prefix

Order = tuple[int, ...]


def split(prefix: Prefix, orders: Mapping[Address, Order]) -> list[tuple[Prefix, Order]]:
    """`prefix` cut where the addresses' gateways differ; parts without any address are left out."""
    inside = {address: order for address, order in orders.items() if address in prefix}
    if not inside:
        return []
    if len(set(inside.values())) == 1:
        return [(prefix, next(iter(inside.values())))]
    return [part for half in prefix.subnets() for part in split(half, inside)]
