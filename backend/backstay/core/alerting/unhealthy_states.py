"""Unhealthy states of device parts, and the part that each metric describes.

The metric registry lists the healthy states of a metric. Any other state is unhealthy unless an operator
configured it: a disabled port, a circuit that is administratively down, an unexpected cable. Numbers are not
states: a counter above zero describes the past, and the registry defines no limits for levels.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from backstay.core.model.device_metric import Meaning

INTENDED: Mapping[str, frozenset[str]] = {
    "ps32.admin": frozenset({"disable"}),
    "ps32.oper": frozenset({"disabled"}),
    "sp.admin_status": frozenset({"down"}),
    "ib.cable": frozenset({"unexpected"}),
}
"""Metric -> states that carry no traffic but are not a problem: an operator configured them."""
SET_BY: Mapping[str, tuple[str, str]] = {"atm.vcl": ("atm.vcl_admin", "down")}
"""Metric -> (metric, state) of the same part that shows that an operator configured the state."""
ELSEWHERE = frozenset({"routing.choice", "vrrp.wanted_state"})
"""Metrics that other rules evaluate better: policies and `vrrp.state` show which gateway is in use."""
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
"""Metrics of parts whose failure affects many others; every other unhealthy state is a warning."""
OF_LINKS = frozenset({"ib.port_state", "ib.link_width", "ib.link_speed", "ib.cable"})
"""Metrics of a link that both of its ends report."""
_CARD = re.compile(r"card (\d+)\b")
_ON_CARD = re.compile(r"g[a-z]\d([0-9a-f])[0-9a-f]\b")
"""The GigaRouter names a port by medium, chassis, slot and connector (GRF manuals: `gx0yz`)."""

Reported = tuple[str, str, str | None]
"""(metric, subject, state; None for a number)."""


def unhealthy_positions(reported: Sequence[Reported], meaning: Callable[[str], Meaning | None]) -> list[int]:
    """Positions, from 1, of the unhealthy states among the metrics that one collector reports of a device."""
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
    """The part to replace or repair: a port's circuits belong to the port.

    `card 3 (ATM OC-12)` -> `card 3`, `ga030 0/32` -> `ga030`; other names are returned unchanged.
    """
    card = _CARD.match(subject)
    if card is not None:
        return card[0]
    first, _, rest = subject.partition(" ")
    return first if _ON_CARD.fullmatch(first) or "/" in rest else subject


def card_of(subject: str) -> str | None:
    """The card that carries a GigaRouter port."""
    port = _ON_CARD.match(subject)
    return f"card {int(port[1], 16)}" if port else None
