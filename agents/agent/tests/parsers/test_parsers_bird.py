"""BIRD's answers, captured from BIRD 2.0.12: a node with two static routes under BFD, and its gateway. The
routes of BIRD 1.6 are written after its `nest/rt-table.c`."""

from ipaddress import ip_address
from pathlib import Path

import pytest

from backstay_agent.parsers.routing import bird, bird_static
from backstay_wire import BfdSession, Protocol

GOLDEN = Path(__file__).parents[1] / "golden" / "bird"


def lines(name: str) -> list[str]:
    return (GOLDEN / f"{name}.txt").read_text().splitlines()


def test_version_is_read_from_show_status() -> None:
    assert bird.version(lines("node-show-status")) == "2.0.12"


def test_protocol_row_excludes_its_time() -> None:
    assert bird.protocols(lines("node-show-protocols")) == [
        Protocol(name="device1", proto="Device", state="up"),
        Protocol(name="fast", proto="BFD", state="up"),
        Protocol(name="kernel1", proto="Kernel", state="up"),
        Protocol(name="prim", proto="Static", state="up"),
        Protocol(name="back", proto="Static", state="up"),
        Protocol(name="spare", proto="Static", state="down"),
    ]


def test_protocol_info_follows_its_time() -> None:
    row = "1002-ospf1      OSPF       master4    up     2026-11-21 10:03:18  Running, 2 neighbors"
    assert bird.protocols([row, "0000 "]) == [
        Protocol(name="ospf1", proto="OSPF", state="up", info="Running, 2 neighbors")
    ]


def test_bfd_sessions_carry_their_timers_in_milliseconds() -> None:
    found = {session.port: session for session in bird.bfd_sessions(lines("node-show-bfd-sessions"))}
    assert found["n-a"] == BfdSession(
        neighbour=ip_address("10.77.1.1"), port="n-a", state="Up", interval_ms=50, timeout_ms=150
    )
    assert found["n-b"].state == "Down"


def test_gateway_sessions_are_parsed_in_the_same_way() -> None:
    assert [s.state for s in bird.bfd_sessions(lines("gateway-show-bfd-sessions"))] == ["Up"]


def test_missing_bfd_protocol_means_no_sessions() -> None:
    assert bird.bfd_sessions(["9001 There is no BFD protocol running"]) == []


def test_error_code_is_an_error() -> None:
    with pytest.raises(bird.BirdError, match="syntax error"):
        bird.protocols(["9001 syntax error, unexpected CF_SYM_UNDEFINED"])
    with pytest.raises(bird.BirdError, match="without a code"):
        bird.protocols(["HTTP/1.1 400 Bad Request"])


def test_routes_of_bird_1_6_have_their_hop_in_the_row() -> None:
    unparsed: list[str] = []
    odd = "10.66.0.0/16 from 10.0.0.0/8 via 10.77.1.1 on eth0 [odd 10:03:18] * (200)"
    found = bird.candidates([f"1007-{odd}", *lines("1.6-show-route")], unparsed)
    assert [(str(c.prefix), c.via, c.source, c.preference, c.selected) for c in found] == [
        ("0.0.0.0/0", "10.77.1.1", "prim", 200, True),
        ("0.0.0.0/0", "10.77.2.1", "back", 180, False),
        ("10.77.1.0/24", "eth0", "direct1", 240, True),
        ("10.9.0.0/16", "10.77.1.1", "ospf1", 150, True),
        ("10.3.0.0/16", "10.77.1.1, 10.77.2.1", "even", 200, True),
        ("192.0.2.0/24", "blackhole", "prim", 200, True),
    ]
    assert unparsed == [odd]


def test_heading_of_a_table_is_no_unknown_row() -> None:
    unparsed: list[str] = []
    rows = ["1007-Table master4:", " 10.1.0.0/16 unicast [prim 10:03:18] * (200)", " \tvia 10.77.1.1 on n-a"]
    assert [c.via for c in bird.candidates(rows, unparsed)] == ["10.77.1.1"]
    assert unparsed == []


@pytest.mark.parametrize("row", [" 10.1.0.1/16", " \tvia 10.1.0.999"])
def test_unreadable_static_route_is_the_declared_error(row: str) -> None:
    with pytest.raises(bird.BirdError, match="unreadable row"):
        bird_static.hops(["1009-10.2.0.0/16", row], "prim")
