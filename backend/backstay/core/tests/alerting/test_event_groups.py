"""Sentences of event groups."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from backstay.core.alerting.event_groups import Cause, EventGroup

AT = datetime(2026, 11, 21, 14, 9, 10, tzinfo=UTC)
GRF1 = Cause(5, "grf1 lost carrier", "critical")


def group(**more: Any) -> EventGroup:
    values: dict[str, Any] = {
        "key": "incident:5", "events": 111, "start": AT, "end": AT + timedelta(seconds=52), "first_at": AT,
        "last_at": AT + timedelta(seconds=52), "worst": "warning", "kinds": ("path.switched",),
        "message": "sp01: 0.0.0.0/0 switched from atmgw to grf1", "paths": 7, "rerouted": 7,
        "gateway": "grf1", "onto": ("atmgw",), "outage_ms": 300.0, "cause": GRF1,
    }  # fmt: skip
    return EventGroup(**{**values, **more})


def test_one_fault_with_all_its_effects_is_one_sentence() -> None:
    assert (group().title, group().detail, group().state) == (
        "grf1 lost carrier",
        "7 paths rerouted to atmgw, at most 300 ms lost, restored",
        "ok",
    )


def test_an_ongoing_group_has_the_state_of_its_worst_incident() -> None:
    lasting = group(end=None, affected=7, dead=3, rerouted=4)
    assert lasting.detail == "3 paths dead, 4 paths rerouted to atmgw with at most 300 ms lost"
    assert lasting.state == "critical"
    some = group(end=None, affected=3, dead=1, rerouted=2, outage_ms=None)
    assert some.detail == "1 path dead, 2 paths rerouted to atmgw, 4 paths restored"


def test_a_state_that_is_over_reads_in_the_past() -> None:
    cause = Cause(6, "grf1 is unreachable", "critical")
    assert group(cause=cause).title == "grf1 was unreachable"
    assert group(cause=cause, end=None).title == "grf1 is unreachable"
    assert group(end=None).title == group().title


def test_a_resolved_cause_leaves_only_what_moved_after_it() -> None:
    over = group(dead=4, rerouted=3)
    assert (over.detail.split(", ")[-1], over.state) == ("restored", "ok")
    moved_since = group(affected=2, dead=4, rerouted=3)
    assert (moved_since.detail.split(", ")[-1], moved_since.state) == ("2 not restored", "critical")


def test_moves_without_an_incident_name_the_gateway() -> None:
    moved = group(cause=None)
    assert (moved.title, moved.state) == ("7 paths left grf1", "ok")
    assert group(cause=None, affected=7).state == "warning"


def test_a_single_event_keeps_its_message() -> None:
    one = group(cause=None, events=1, rerouted=1, paths=1)
    assert (one.title, one.detail) == ("sp01: 0.0.0.0/0 switched from atmgw to grf1", "")


def test_ports_of_a_node_that_flapped() -> None:
    ports = group(
        cause=None, events=4, paths=0, rerouted=0, outage_ms=None, ports=2, node="grf1", kinds=("port.up",)
    )
    assert (ports.title, ports.detail, ports.state) == ("2 ports of grf1 went down and up", "restored", "ok")
    down = group(
        cause=None, events=2, paths=0, rerouted=0, outage_ms=None, ports=2, ports_down=2, node="grf1"
    )
    assert (down.title, down.detail, down.state) == ("2 ports of grf1 went down", "2 events", "warning")
