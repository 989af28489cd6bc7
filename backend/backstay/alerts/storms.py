"""Storms: many problems of one kind at one object share one incident."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TypeVar

from backstay.alerts.rule import Present

Item = TypeVar("Item")


def split(
    items: Iterable[Item],
    present: Present,
    limit: int,
    names: Callable[[Item], tuple[str, str]],
) -> tuple[list[Item], dict[str, list[Item]]]:
    """(items with an incident of their own, fingerprint of each shared incident -> its items).

    `names`: fingerprint of the item's own incident, and of the one that it shares. An object with more items
    than `limit` shares one, until no item is left in it. An item keeps the incident that it has.
    """
    named = [(item, *names(item)) for item in items]
    counts = Counter(shared for _, _, shared in named)
    own: list[Item] = []
    groups: dict[str, list[Item]] = {}
    for item, fingerprint, shared in named:
        is_many = counts[shared] > limit or shared in present
        if is_many and fingerprint not in present:
            groups.setdefault(shared, []).append(item)
        else:
            own.append(item)
    return own, groups
