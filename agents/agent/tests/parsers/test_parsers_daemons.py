"""FRR, gated, keepalived and LNet: captured from FRR 8.4.4 and keepalived 2.2.7, written for the others."""

from ipaddress import ip_network
from pathlib import Path

import pytest

from backstay_agent.parsers import lnet
from backstay_agent.parsers.routing import bird, candidates, frr, gated, keepalived
from backstay_agent.parsers.routing.candidates import Candidate

GOLDEN = Path(__file__).parents[1] / "golden"
GEAR = Path(__file__).resolve().parents[5] / "shared" / "gear"
DEFAULT = ip_network("0.0.0.0/0")


def golden(name: str) -> str:
    return (GOLDEN / name).read_text()


def gear(name: str) -> str:
    path = GEAR / name
    if not path.exists():
        pytest.skip("../shared/gear is absent")
    return path.read_text()


def next_hops(found: list[Candidate], prefix: str = "0.0.0.0/0") -> list[tuple[str, str, int, str]]:
    return [
        (row.source, row.via, row.preference, row.choice) for row in found if row.prefix == ip_network(prefix)
    ]


def test_frr_ranks_routes_by_distance_and_marks_the_selected_one() -> None:
    found = frr.answers(golden("frr/routes-ospf-bgp.txt"))
    assert next_hops(found.candidates) == [
        ("static", "10.77.0.3", 60, "standby"),
        ("static", "10.77.0.1", 20, "selected"),
    ]
    assert next_hops(found.candidates, "10.77.0.0/24") == [
        ("ospf", "p0", 110, "standby"),
        ("connected", "p0", 0, "selected"),
    ]
    assert found.sessions == {"ospfd": (0, 0), "bgpd": (0, 1)}


def test_frr_reports_neighbours_up_for_each_daemon() -> None:
    running = ["zebra", "ospfd", "bgpd", "staticd", "bfdd"]
    rows = frr.protocols(running, frr.answers(golden("frr/routes-ospf-bgp.txt")))
    assert [(row.proto, row.info) for row in rows][1:3] == [
        ("OSPF", "0 of 0 neighbours up"),
        ("BGP", "0 of 1 neighbours up"),
    ]


def test_frr_bfd_peers_become_sessions() -> None:
    (session,) = frr.answers(golden("frr/bfd.txt")).bfd
    assert (str(session.neighbour), session.port, session.state) == ("10.77.0.1", "p0", "Down")
    assert (session.interval_ms, session.timeout_ms) == (1000, 3000)


def test_invalid_frr_output_is_a_typed_error() -> None:
    with pytest.raises(frr.FrrError):
        frr.answers("{")


@pytest.mark.parametrize(
    "odd", ['[{"peer": "10.0.0.1"}]', '{"10.0.0.0/8": [{"prefix": 3}]}', '{"10.0.0.0/8": 5}', "[7]"]
)
def test_unreadable_frr_entry_is_set_aside(odd: str) -> None:
    found = frr.answers(golden("frr/bfd.txt") + odd + golden("frr/routes-ospf-bgp.txt"))
    assert len(found.unparsed) == 1
    assert len(found.bfd) == 1
    assert found.candidates == frr.answers(golden("frr/routes-ospf-bgp.txt")).candidates


def test_bfd_peer_without_a_multiplier_has_the_default_one() -> None:
    """FRR 7.2 prints no multiplier (written in the format of its manual; not captured)."""
    found = frr.answers(golden("frr/7.2-bfd.txt"))
    (session,) = found.bfd
    assert (found.unparsed, session.port, session.state) == ([], "p0", "Up")
    assert (session.interval_ms, session.timeout_ms) == (400, 1200)


def test_gated_release_3_is_parsed_with_marks_states_and_preferences() -> None:
    found = gated.table(golden("gated/release-3.txt"))
    assert found.unparsed == []
    assert next_hops(found.candidates) == [
        ("OSPF_ASE", "10.1.0.16", 150, "selected"),
        ("RIP", "10.1.0.15", 160, "standby"),
        ("RIP", "10.1.0.14", 160, "unusable"),
    ]
    assert next_hops(found.candidates, "10.1.0.0/24") == [("Direct", "10.1.0.3", 0, "selected")]
    assert gated.protocols(found.candidates)["RIP"] == (0, 2)


def test_gated_release_2_has_no_marks_so_the_state_shows_the_active_route() -> None:
    found = gated.table(golden("gated/release-2.txt"))
    assert found.unparsed == []
    assert next_hops(found.candidates) == [
        ("Static", "10.1.0.16", 50, "selected"),
        ("RIP", "10.1.0.15", 100, "unusable"),
    ]


def test_only_the_last_dump_of_a_file_is_used() -> None:
    found = gated.table(golden("gated/release-2.txt") + golden("gated/release-3.txt"))
    assert len(next_hops(found.candidates)) == 3


def test_file_without_routing_table_is_no_dump_and_unknown_lines_are_kept() -> None:
    with pytest.raises(gated.GatedError):
        gated.table("nothing\n")
    assert gated.table("\t+ = Active Route, - = Last Active\n\t\tSomething: else\n").unparsed == [
        "\t\tSomething: else"
    ]


@pytest.mark.shared
@pytest.mark.parametrize("name", ["primary", "failedover"])
def test_gated_dumps_of_the_papers_leave_nothing_unparsed(name: str) -> None:
    found = gated.table(gear(f"gated/gated_dump.{name}.txt"))
    assert found.unparsed == []
    selected = [row.via for row in found.candidates if row.selected and row.prefix == DEFAULT]
    assert selected == ["10.1.0.201" if name == "primary" else "10.1.0.15"]


@pytest.mark.shared
@pytest.mark.parametrize(("name", "via"), [("primary", "10.77.0.1"), ("failedover", "10.78.0.1")])
def test_frr_routes_of_the_papers_before_and_after_the_failover(name: str, via: str) -> None:
    found = frr.answers(gear(f"frr/show_ip_route.{name}.json")).candidates
    assert [row.via for row in found if row.selected and row.prefix == DEFAULT] == [via]
    assert frr.version(gear("frr/version.txt")) == "8.4.4"


def test_bird_preferences_rank_in_reverse_and_a_star_marks_the_best() -> None:
    output = [
        "1007-Table master4:",
        " 0.0.0.0/0            unicast [via_grf1_1 13:18:12.093] * (200)",
        " \tvia 10.1.0.16 on css0",
        "                      unicast [via_atmgw_2 2026-11-20] (190)",
        " \tvia 10.1.0.15 on css0",
        " 10.9.0.0/24          unicast [ospf1 13:00:00.000] * I (150/20) [10.0.0.9]",
        " \tvia 10.2.0.1 on at0 weight 1",
        " \tvia 10.2.0.5 on at1 weight 1",
        " 10.1.0.0/24          unreachable [guard 13:18:10.568] * (10)",
        "0000 ",
    ]
    found = bird.candidates(output)
    assert next_hops(found) == [
        ("via_grf1_1", "10.1.0.16", 200, "selected"),
        ("via_atmgw_2", "10.1.0.15", 190, "standby"),
    ]
    assert next_hops(found, "10.9.0.0/24") == [("ospf1", "10.2.0.1, 10.2.0.5", 150, "selected")]
    assert next_hops(found, "10.1.0.0/24") == [("guard", "unreachable", 10, "selected")]
    assert bird.destinations(["0014 7 of 7 routes for 5 networks in table master4"]) == 7


def test_candidates_are_reported_for_the_default_and_contested_destinations() -> None:
    rows = [
        Candidate(DEFAULT, "10.0.0.1", "static", 60, selected=True),
        Candidate(ip_network("10.1.0.0/24"), "a", "rip", 100, selected=True),
        Candidate(ip_network("10.2.0.0/24"), "b", "rip", 100, selected=True),
        Candidate(ip_network("10.2.0.0/24"), "b", "rip", 100, selected=False, usable=False),
    ]
    reported = {(item.subject, item.metric): item.value for item in candidates.metrics(rows)}
    assert reported == {
        ("", "routing.destinations"): 3,
        ("0.0.0.0/0 via 10.0.0.1 static", "routing.preference"): 60,
        ("0.0.0.0/0 via 10.0.0.1 static", "routing.choice"): "selected",
        ("10.2.0.0/24 via b rip", "routing.preference"): 100,
        ("10.2.0.0/24 via b rip", "routing.choice"): "selected",
        ("10.2.0.0/24 via b rip #2", "routing.preference"): 100,
        ("10.2.0.0/24 via b rip #2", "routing.choice"): "unusable",
    }


def test_keepalived_reports_master_and_fault_states() -> None:
    (first, second), unparsed = keepalived.instances(golden("keepalived/keepalived.data"))
    assert unparsed == []
    assert (first.name, first.port, first.state, first.priority, first.faults) == (
        "gw_in",
        "p0",
        "master",
        150,
        0,
    )
    assert (first.router_id, first.group) == (51, "edge")
    assert (second.name, second.state, second.wanted, second.faults) == ("gw_out", "fault", "fault", 1)
    reported = {
        (item.subject, item.metric): item.value for item in keepalived.metrics([first], first.since_s + 90)
    }
    assert reported["gw_in", "vrrp.state"] == "master"
    assert reported["gw_in", "vrrp.seconds_in_state"] == 90


def test_instances_of_an_old_keepalived_have_port_and_state() -> None:
    """Release 1.3.5 (CentOS 7) prints neither Wantstate nor effective priority, and names the port otherwise.
    The file is written in its format, not captured."""
    (first, second), unparsed = keepalived.instances(golden("keepalived/1.3.5.data"))
    assert unparsed == []
    assert (first.name, first.port, first.state, first.wanted) == ("gw_in", "p0", "backup", "backup")
    assert (first.router_id, first.priority, first.faults, first.since_s) == (51, 150, 0, 1795266822)
    assert (second.port, second.state, second.since_s) == ("q0", "init", 0)
    reported = {(item.subject, item.metric) for item in keepalived.metrics([second], 1795266900)}
    assert ("gw_out", "vrrp.seconds_in_state") not in reported


def test_unreadable_instance_is_set_aside() -> None:
    data = golden("keepalived/keepalived.data").replace("State = MASTER", "State = KING", 1)
    found, unparsed = keepalived.instances(data)
    assert [instance.name for instance in found] == ["gw_out"]
    assert unparsed == ["instance gw_in: ValueError state KING"]


@pytest.mark.parametrize("moment", ["nan", "9" * 400])
def test_instance_with_an_impossible_time_is_set_aside(moment: str) -> None:
    data = golden("keepalived/keepalived.data").replace("1795266822.115498", moment, 1)
    found, unparsed = keepalived.instances(data)
    assert ([instance.name for instance in found], len(unparsed)) == (["gw_out"], 1)


@pytest.mark.parametrize("data", ["", "State = MASTER"])
def test_invalid_keepalived_output_is_a_typed_error(data: str) -> None:
    with pytest.raises(keepalived.KeepalivedError):
        keepalived.instances(data)


def test_lnet_reports_health_and_counts_of_nids_without_the_loopback() -> None:
    found = lnet.nets(golden("lnet/net-show-v.yaml"))
    reported = {(item.subject, item.metric): item.value for item in found.metrics}
    assert reported == {
        ("10.1.0.21@o2ib", "lnet.ni_state"): "up",
        ("10.1.0.21@o2ib", "lnet.health"): 960,
        ("10.2.0.21@tcp", "lnet.ni_state"): "down",
    }
    assert found.counters["10.1.0.21@o2ib", "lnet.dropped"] == 2


def test_lnet_routes_include_a_dead_gateway_and_unknown_hops() -> None:
    reported = {
        (item.subject, item.metric): item.value for item in lnet.routes(golden("lnet/route-show-v.yaml"))
    }
    dead = "tcp1 via 10.1.0.102@o2ib"
    assert reported[dead, "lnet.route_state"] == "down"
    assert reported[dead, "lnet.route_priority"] == 5
    assert reported[dead, "lnet.route_hops"] == -1
    assert lnet.routes("") == []


@pytest.mark.parametrize("output", ["net: 3", "[1", "other: []", "net:\n  - local NI(s): [{}]"])
def test_unexpected_lnetctl_output_is_a_typed_error(output: str) -> None:
    with pytest.raises(lnet.LnetError):
        lnet.nets(output)
