"""Cross traffic of a cell, hop by hop, from the reports of agents at the ends and on the path."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from backstay.inventory.models import Node
from backstay.throughput.cross_traffic import CrossTraffic
from backstay.throughput.models import TestAssignment, TestCell

AT = datetime(2026, 11, 22, 5, 0, tzinfo=UTC)
SECONDS = 10.0
RATE = 40e6
"""Rate of the test on the wire, bit/s."""


def cell(direction: str = "forward", kind: str = "tcp", sampled: Any = None) -> TestCell:
    """sp01 -> grf1 (reported by both) -> a switch's unobserved link -> origin1."""
    seen = [
        {"hop": 0, "node": "sp01", "port": "css0", "forward": "out"},
        {"hop": 1, "node": "grf1", "port": "ga030", "forward": "out"},
        {"hop": 3, "node": "origin1", "port": "at1", "forward": "in"},
    ]
    hops = [{"name": f"hop {at}", "usable": 53.8e6} for at in range(4)]
    document = {
        "usable": 53.8e6,
        "hops": hops,
        "seen": seen,
        "senders": {"forward": [["sp01", "css0"]], "reverse": [["origin1", "at1"]]},
        "links": [["1", True], ["2", True], ["3", False], ["4", False]],
        "sampled": sampled or {},
    }
    return TestCell(spec={"kind": kind, "direction": direction}, medium=document, start_at=AT)


def port(name: str, came: float, left: float, others: tuple[float, float] | None, before: float = 0) -> Any:
    """Bit/s in and out."""
    return {
        "port": name,
        "in_octets": round(came * SECONDS / 8),
        "out_octets": round(left * SECONDS / 8),
        "others_in": others and others[0],
        "others_out": others and others[1],
        "before_in": before,
        "before_out": before,
    }


def assignment(node: str, role: str, load: Any, **reported: Any) -> TestAssignment:
    # A server listens from some seconds before the start.
    early = timedelta(seconds=4 if role == "server" else 0)
    return TestAssignment(
        node=Node(name=node),
        role=role,
        flow=0,
        started=AT - early,
        ended=AT + timedelta(seconds=SECONDS),
        report={"ports": [load], **reported},
    )


def assignments(
    *, sender: float = 0.0, middle: float = 0.0, receiver: float = 0.0, before: float = 0.0
) -> Any:
    """A forward test with cross traffic at each place in the direction of the data."""
    return [
        assignment("sp01", "client", port("css0", 1e6, RATE + sender, (0.0, sender), before), idle_us=900),
        assignment("grf1", "observer", port("ga030", 1e6, RATE + middle, None, before)),
        assignment("origin1", "server", port("at1", RATE + receiver, 1e6, (receiver, 0.0), before)),
    ]


def productions(one: TestCell, rows: list[TestAssignment]) -> list[float | None]:
    return [hop["production"] for hop in CrossTraffic(one, rows).document()["hops"]]


def test_own_traffic_is_not_cross_traffic() -> None:
    assert productions(cell(), assignments()) == [0.0, 0.0, None, 0.0]


def test_cross_traffic_is_reported_at_its_hop_only() -> None:
    first, middle, unseen, last = productions(cell(), assignments(middle=12e6))
    assert (first, unseen, last) == (0.0, None, 0.0)
    assert middle == pytest.approx(12e6, abs=0.08 * RATE)
    assert middle is not None
    assert middle <= 12e6, "rather too small than too large"


def test_cross_traffic_at_the_sender_is_the_agents_value() -> None:
    assert productions(cell(), assignments(sender=7e6))[0] == 7e6


def test_dropped_datagrams_are_not_cross_traffic() -> None:
    rows = assignments()
    rows[2] = assignment("origin1", "server", port("at1", RATE, 1e6, (RATE / 2, 0.0)))
    assert productions(cell(kind="udp"), rows)[3] == 0.0


def test_cross_traffic_counts_in_the_test_direction_only() -> None:
    # grf1 forwards 30 Mb/s of other traffic against the test's direction.
    rows = assignments()
    rows[1] = assignment("grf1", "observer", port("ga030", 31e6, RATE, None))
    assert productions(cell(), rows)[1] == 0.0
    back = [
        assignment("sp01", "client", port("css0", RATE, 1e6, (0.0, 0.0))),
        assignment("grf1", "observer", port("ga030", RATE + 9e6, 50e6, None)),
        assignment("origin1", "server", port("at1", 1e6, RATE, (0.0, 0.0))),
    ]
    against = productions(cell("reverse"), back)[1]
    assert against == pytest.approx(9e6, abs=0.08 * RATE)


def test_bidirectional_test_counts_both_directions() -> None:
    rows = [
        assignment("sp01", "client", port("css0", RATE, RATE, (0.0, 0.0))),
        assignment("grf1", "observer", port("ga030", RATE + 5e6, RATE + 9e6, None)),
        assignment("origin1", "server", port("at1", RATE, RATE, (0.0, 0.0))),
    ]
    found = productions(cell("both"), rows)
    assert found[1] == pytest.approx(14e6, abs=0.16 * RATE)
    assert found[0] == found[3] == 0.0


def test_load_before_the_test_is_used_as_fallback() -> None:
    rows = [assignment("sp01", "client", port("css0", 1e6, RATE, None, before=3e6))]
    assert productions(cell(kind="ping"), rows) == [3e6, None, None, None]


def test_samples_are_used_only_for_hops_without_agent() -> None:
    sampled = {link: {"bps": [20e6, 5e6], "at": AT.isoformat()} for link in "1234"}
    assert productions(cell(sampled=sampled), assignments()) == [0.0, 0.0, 5e6, 0.0]


def test_hop_uses_its_busiest_port() -> None:
    found = CrossTraffic(cell(), assignments(sender=7e6, receiver=20e6)).document()
    assert found["production"] == pytest.approx(20e6, abs=0.08 * RATE)


def test_idle_round_trip_needs_a_quiet_path() -> None:
    assert CrossTraffic(cell(), assignments()).document()["rtt_s"] == pytest.approx(9e-4)
    assert CrossTraffic(cell(), assignments(before=40e6)).document()["rtt_s"] is None
    assert CrossTraffic(cell(), assignments()[1:]).document()["rtt_s"] is None


def test_several_pairs_use_the_harmonic_mean_round_trip() -> None:
    rows = assignments()
    rows.append(assignment("sp02", "client", port("css0", 0, 0, (0.0, 0.0)), idle_us=300))
    assert CrossTraffic(cell(), rows).document()["rtt_s"] == pytest.approx(4.5e-4)


def test_cell_that_never_started_is_unchanged() -> None:
    assert CrossTraffic(TestCell(spec={"kind": "tcp"}), []).document() == {}
