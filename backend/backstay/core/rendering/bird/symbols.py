"""What our protocols in a bird.conf are called: symbols that say policy, family, prefix and gateway."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from backstay.core.model.routing import PolicyRoute

LONGEST = 60
"""BIRD takes symbols of 64 characters (SYM_MAX_LEN)."""
_UNFIT = re.compile(r"[^A-Za-z0-9_]")

Meaning = tuple[str, str, str]
"""(policy, prefix, gateway)"""


def symbols(routes: Iterable[PolicyRoute]) -> dict[Meaning, str]:
    """A symbol for each gateway of each route, all different whatever the gateways' order.

    One that another has too, or that is too long, ends in a digest of all it names.
    """
    meant = {meaning: symbol for route in routes for meaning, symbol in _meant(route)}
    taken = Counter(meant.values())
    return {
        meaning: symbol if taken[symbol] == 1 and len(symbol) <= LONGEST else _told_apart(symbol, meaning)
        for meaning, symbol in meant.items()
    }


def _meant(route: PolicyRoute) -> Iterator[tuple[Meaning, str]]:
    prefix = str(route.prefix)
    words = ["backstay", route.policy, str(route.prefix.version)]
    if route.prefix.prefixlen:
        words.append(prefix)
    for hop in route.hops:
        symbol = _UNFIT.sub("_", "_".join([*words, hop.gateway]))
        yield (route.policy, prefix, hop.gateway), symbol


def _told_apart(symbol: str, meaning: Meaning) -> str:
    digest = hashlib.sha256("\n".join(meaning).encode()).hexdigest()[:8]
    return f"{symbol[: LONGEST - 9]}_{digest}"
