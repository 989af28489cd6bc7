"""Which words of a device's parts are troubles, and which part each of its figures is about.

The register says which words of a metric are good. A word that is not is a trouble, unless somebody wants it
so: a port that was switched off, a circuit that is meant to be down, a cable that is more than was asked for.
Numbers are no states: a count above zero tells of the past, and the register gives no limits for levels.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from backstay.core.model.figure import Meaning

INTENDED: Mapping[str, frozenset[str]] = {
    "ps32.admin": frozenset({"disable"}),
    "ps32.oper": frozenset({"disabled"}),
    "sp.admin_status": frozenset({"down"}),
    "ib.cable": frozenset({"unexpected"}),
}
"""Metric -> words that are not good for traffic and no trouble either: an operator set them."""
SET_BY: Mapping[str, tuple[str, str]] = {"atm.vcl": ("atm.vcl_admin", "down")}
"""Metric -> the metric of the same part, and its word, that say an operator wants it so."""
ELSEWHERE = frozenset({"routing.choice", "vrrp.wanted_state"})
"""Metrics that others judge better: which gateway is in use is said by its policies and by `vrrp.state`."""
CRITICAL = frozenset(
    {
        "grf.card_state",
        "grf.gated",
        "grf.temperature",
        "ib.sm_state",
        "ps32.switch_oper",
        "sp.node_state",
    }
)
"""Metrics of parts that take many others with them; what else is not well is a warning."""
OF_LINKS = frozenset({"ib.port_state", "ib.link_width", "ib.link_speed", "ib.cable"})
"""Metrics that both ends of a link tell of the link."""
_CARD = re.compile(r"card (\d+)\b")
_ON_CARD = re.compile(r"g[a-z]\d([0-9a-f])[0-9a-f]\b")
"""A GigaRouter names a port by medium, chassis, slot and connector (GRF manuals: `gx0yz`)."""

Reported = tuple[str, str, str | None]
"""(metric, subject, word; None: a number)."""


def unhealthy_positions(reported: Sequence[Reported], meaning: Callable[[str], Meaning | None]) -> list[int]:
    """The places, from 1, of states that are not well, of all that one collector tells of a device."""
    found = []
    for place, (metric, subject, state) in enumerate(reported, 1):
        if state is None or metric in ELSEWHERE:
            continue
        known = meaning(metric)
        if known is None or known.kind != "state" or not known.good or state in known.good:
            continue
        if state not in INTENDED.get(metric, ()) and not _set(reported, metric, subject):
            found.append(place)
    return found


def _set(reported: Sequence[Reported], metric: str, subject: str) -> bool:
    if metric not in SET_BY:
        return False
    return (SET_BY[metric][0], subject, SET_BY[metric][1]) in reported


def part_of(subject: str) -> str:
    """The part that is exchanged or seen to when this one fails: a port's circuits are of the port.

    `card 3 (ATM OC-12)` -> `card 3`, `ga030 0/32` -> `ga030`; other names stand for themselves.
    """
    card = _CARD.match(subject)
    if card is not None:
        return card[0]
    first, _, rest = subject.partition(" ")
    return first if _ON_CARD.fullmatch(first) or "/" in rest else subject


def card_of(subject: str) -> str | None:
    """The card that a GigaRouter's port, or what is on it, stands or falls with."""
    port = _ON_CARD.match(subject)
    return f"card {int(port[1], 16)}" if port else None
