"""Unhealthy states and their parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pytest

from backstay.core.alerting.unhealthy_states import card_of, part_of, unhealthy_positions


@dataclass(frozen=True)
class Meaning:
    good: frozenset[str]
    kind: Literal["growth", "level", "state"] = "state"
    error: bool = False


REGISTER = {
    "grf.card_state": Meaning(frozenset({"running"})),
    "atm.vcl": Meaning(frozenset({"up"})),
    "atm.vcl_admin": Meaning(frozenset({"up", "down"})),
    "ps32.admin": Meaning(frozenset({"enable"})),
    "routing.choice": Meaning(frozenset({"selected"})),
    "unjudged": Meaning(frozenset()),
}


def test_only_unintended_unhealthy_states_are_reported() -> None:
    reported = [
        ("grf.card_state", "card 1", "running"),
        ("grf.card_state", "card 2", "panic"),
        ("atm.vcl", "ga000 0/32", "down"),
        ("atm.vcl", "ga000 0/33", "down"),
        ("atm.vcl_admin", "ga000 0/33", "down"),
        ("ps32.admin", "port 1", "disable"),
        ("ps32.admin", "port 2", "test"),
        ("routing.choice", "10.0.0.0/8", "unusable"),
        ("unjudged", "", "odd"),
        ("nobody knows it", "", "odd"),
        ("grf.card_state", "card 3", None),
    ]
    assert unhealthy_positions(reported, REGISTER.get) == [2, 3, 7]


@pytest.mark.parametrize(
    ("subject", "part", "card"),
    [
        ("card 3 (ATM OC-12)", "card 3", None),
        ("card 11", "card 11", None),
        ("ga030 0/32", "ga030", "card 3"),
        ("ga0b1 10.70.1.2 over 0/32", "ga0b1", "card 11"),
        ("fan tray 2", "fan tray 2", None),
        ("mlx4_0/1", "mlx4_0/1", None),
        ("", "", None),
    ],
)
def test_part_of_circuit_is_its_port_and_card(subject: str, part: str, card: str | None) -> None:
    assert (part_of(subject), card_of(subject)) == (part, card)
