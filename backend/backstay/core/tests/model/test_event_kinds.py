"""Kinds of events and states of progress: one list each, complete, and with every producer's kinds."""

from __future__ import annotations

from typing import get_args

import pytest

from backstay.core.client_spec import client_spec
from backstay.core.model.change import ENDED, Kind, NodeState
from backstay.core.model.change import State as ChangeState
from backstay.core.model.event_kinds import EVENT_KINDS, EventKind
from backstay.core.model.plan import ImpactVerdict
from backstay.core.model.progress import (
    CHANGE_KIND_LABELS,
    PROGRESS,
    DrillState,
    ManagementState,
    MoveState,
    Phase,
    RunState,
    ShownPhase,
)


def test_every_kind_of_event_has_one_label() -> None:
    assert list(EVENT_KINDS) == list(EventKind)
    assert len({spec.label for spec in EVENT_KINDS.values()}) == len(EventKind)


def test_kinds_that_are_made_of_a_state_exist() -> None:
    """Producers build `drill.passed` from the drill's state."""
    recorded = {
        "drill": set(get_args(DrillState)),
        "change": {"planned", "approved", "rolling", "confirming", *ENDED},
        "node": set(get_args(ManagementState)),
        "test_run": {"done", "failed", "cancelled"},
    }
    for category, states in recorded.items():
        assert {EventKind(f"{category}.{state}").category for state in states} == {category}


@pytest.mark.parametrize(
    ("what", "states"),
    [
        ("change", ChangeState),
        ("change_node", NodeState),
        ("impact", ImpactVerdict),
        ("drill", DrillState),
        ("move", MoveState),
        ("test_run", RunState),
    ],
)
def test_every_state_of_progress_has_a_label_and_a_colour(what: str, states: object) -> None:
    assert set(PROGRESS[what]) == _values(states)


def test_every_phase_but_pending_is_shown() -> None:
    assert {*get_args(ShownPhase), Phase.PENDING} == set(Phase)


def test_every_kind_of_change_has_a_label() -> None:
    assert set(CHANGE_KIND_LABELS) == _values(Kind)


def test_clients_receive_kinds_with_label_and_category() -> None:
    exported = client_spec()["event_kinds"]
    assert isinstance(exported, list)
    assert {"kind": "path.switched", "category": "path", "label": "path switched"} in exported
    assert len(exported) == len(EventKind)


def _values(states: object) -> set[str]:
    """Of a Literal, also of one made of Literals."""
    found: set[str] = set()
    for value in get_args(states):
        found |= {value} if isinstance(value, str) else _values(value)
    return found
