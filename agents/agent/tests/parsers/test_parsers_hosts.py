"""Output of Linux (captured in a namespace), Solaris, GRF and VyOS (written after their manuals)."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from backstay_agent.offline_parse import reader
from backstay_agent.parsers.linux import ip_links, ip_routes, linux_text
from backstay_agent.parsers.systems import grf, grf_conf, solaris, solaris_routes, vyos
from backstay_wire import Neighbour, Route

GOLDEN = Path(__file__).parents[1] / "golden"


def golden(name: str) -> str:
    return (GOLDEN / name).read_text()


def reported(routes: list[Route]) -> dict[str, tuple[str, int, list[tuple[str, str]]]]:
    return {
        str(route.prefix): (
            route.protocol,
            route.metric,
            [(str(hop.via), hop.port) for hop in route.next_hops],
        )
        for route in routes
    }


def entries(found: list[Neighbour]) -> list[tuple[str, str, str]]:
    return [(str(entry.address), entry.mac, entry.state) for entry in found]


def test_linux_port_counters_are_read_by_column_name() -> None:
    found, unparsed = ip_links.links(golden("linux/ip-s-link.txt"))
    assert unparsed == []
    ports = {port.name: port for port in found}
    assert list(ports) == ["lo", "p1", "p0", "br0", "tun0"]
    assert (ports["p0"].received["bytes"], ports["p0"].sent["bytes"]) == (516, 732)
    assert (ports["p0"].alias, ports["p1"].master, ports["tun0"].medium) == ("to the switch", "br0", "none")
    assert "LOWER_UP" not in ports["br0"].flags


def test_linux_addresses_are_the_local_end_of_a_point_to_point_port() -> None:
    found, unparsed = ip_links.links(golden("linux/ip-address.txt"))
    assert unparsed == []
    addresses = {port.name: port.addresses for port in found}
    assert addresses["p0"][:2] == ["10.77.0.1/24", "10.77.0.9/32"]
    assert addresses["tun0"] == ["10.79.0.1/32"]


def test_counters_of_virtual_functions_are_excluded() -> None:
    found, unparsed = ip_links.links(golden("vyos/ip-s-link.txt"))
    assert unparsed == []
    assert found[1].received["bytes"] == 700800
    assert found[1].received["overrun"] == 3


def test_ports_of_this_host_match_ips_json() -> None:
    if shutil.which("ip") is None:
        pytest.skip("needs iproute2")

    def output(*options: str) -> str:
        return subprocess.run(["ip", *options], check=True, capture_output=True, text=True).stdout

    expected = {row["ifname"]: row for row in json.loads(output("-j", "address", "show"))}
    found, unparsed = ip_links.links(output("address", "show"))
    assert unparsed == []
    assert {port.name: (port.index, port.mtu, sorted(port.flags), port.addresses) for port in found} == {
        name: (
            row["ifindex"],
            row["mtu"],
            sorted(row["flags"]),
            [f"{own['local']}/{own['prefixlen']}" for own in row["addr_info"]],
        )
        for name, row in expected.items()
    }


def test_linux_routes_have_all_hops_and_only_unicast_ones_count() -> None:
    found, unparsed = ip_routes.routes(golden("linux/ip-route.txt"))
    assert unparsed == []
    assert reported(found) == {
        "0.0.0.0/0": ("boot", 100, [("10.77.0.50", "p0")]),
        "10.77.0.0/24": ("kernel", 0, [("None", "p0")]),
        "10.77.1.9/32": ("kernel", 0, [("None", "p0")]),
        "10.90.0.0/16": ("static", 20, [("10.77.0.50", "p0"), ("10.77.0.51", "p0")]),
        "10.92.0.0/16": ("boot", 0, [("fe80::52", "p0")]),
    }
    six, unparsed = ip_routes.routes(golden("linux/ip-6-route.txt"), 6)
    assert unparsed == []
    assert reported(six)["2001:db8::/32"] == ("bird", 1024, [("fe80::52", "p0")])


def test_dead_hop_is_inactive_and_hops_belong_to_their_own_route() -> None:
    output = (
        "10.1.0.0/24 dev p9 scope link dead linkdown\n"
        "10.2.0.0/16 proto zebra\n\tnexthop via 10.0.0.1 dev p0 weight 1 dead linkdown\n"
        "\tnexthop via 10.0.0.2 dev p1 weight 1\n"
        "unreachable 10.3.0.0/16\n\tnexthop via 10.0.0.3 dev p1 weight 1\n"
    )
    assert ip_routes.routes(output)[1] == []
    assert reported(ip_routes.routes(output)[0]) == {"10.2.0.0/16": ("zebra", 0, [("10.0.0.2", "p1")])}
    assert reported(ip_routes.routes("default dev tun0 metric 1", 6)[0])["::/0"][1] == 1


def test_ip_and_arp_output_give_the_same_neighbours() -> None:
    found, unparsed = linux_text.neighbours(golden("linux/ip-neighbour.txt"))
    assert unparsed == []
    assert ("10.77.0.51", "02:00:00:00:00:51", "reachable") in entries(found)
    assert ("fe80::52", "02:00:00:00:00:52", "stale") in entries(found)
    for output in (
        linux_text.arp(golden("linux/arp-an.txt")),
        linux_text.arp_table(golden("linux/arp-n.txt")),
    ):
        assert output[1] == []
        assert entries(output[0]) == [
            ("10.77.0.53", "", "incomplete"),
            ("10.77.0.51", "02:00:00:00:00:51", "dynamic"),
            ("10.77.0.77", "", "incomplete"),
            ("10.77.0.50", "02:00:00:00:00:50", "permanent"),
        ], "what we answer for 10.77.0.60 is no neighbour"


def test_only_a_physical_port_that_is_up_has_a_speed() -> None:
    head = "/sys/class/net/eth0/device/net/"
    assert linux_text.speeds(f"{head}eth0/speed:10000\n{head}eth1/speed:-1\n") == {"eth0": 10_000_000_000}


def test_solaris_logical_interfaces_are_merged_into_their_port() -> None:
    found, unparsed = solaris.ports(golden("solaris/ifconfig-a.txt"))
    assert unparsed == []
    ports = {port.name: port for port in found}
    assert list(ports) == ["lo0", "nge0", "nge1", "ip.tun0"]
    assert ports["nge0"].addresses == ["10.3.1.40/23", "10.3.9.40/24", "fe80::214:4fff:fe02:a01/10"]
    assert (ports["nge0"].mac, ports["nge1"].addresses) == ("00:14:4f:02:0a:01", [])
    assert ports["ip.tun0"].addresses == ["10.8.0.1/32"]


def test_solaris_routes_use_the_mask_of_the_port_or_class() -> None:
    rows, unparsed = solaris_routes.rows(golden("solaris/netstat-rn.txt"))
    default, rest = solaris_routes.answer(golden("solaris/route-get.txt"))
    assert (unparsed, rest) == ([], [])
    own = {port.name: port.addresses for port in solaris.ports(golden("solaris/ifconfig-a.txt"))[0]}
    routes, unread = solaris_routes.routes(rows, default, own)
    assert unread == []
    assert reported(routes) == {
        "0.0.0.0/0": ("static", 0, [("10.3.0.1", "nge0")]),
        "10.3.0.0/23": ("kernel", 0, [("None", "nge0")]),
        "10.3.9.0/24": ("kernel", 0, [("None", "nge0")]),
        "10.8.0.2/32": ("kernel", 0, [("None", "ip.tun0")]),
        "10.60.0.0/16": ("boot", 0, [("10.3.0.2", "nge0")]),
        "192.0.2.0/24": ("redirect", 0, [("10.3.0.3", "nge0")]),
        "fe80::/10": ("kernel", 0, [("None", "nge0")]),
    }


def test_solaris_7_table_names_no_family_and_its_multicast_route_is_a_slash_4() -> None:
    text = golden("solaris/netstat-rn-7.txt")
    rows, unparsed = solaris_routes.rows(text)
    routes, unread = solaris_routes.routes(rows, {}, {"hme0": ["10.3.1.40/23"]})
    assert (unparsed, unread) == ([], [])
    assert reported(routes) == {
        "10.3.0.0/23": ("kernel", 0, [("None", "hme0")]),
        "224.0.0.0/4": ("kernel", 0, [("None", "hme0")]),
        "10.60.0.0/16": ("boot", 0, [("10.3.0.2", "hme0")]),
        "0.0.0.0/0": ("boot", 0, [("10.3.0.1", "hme0")]),
    }
    assert reader.read(text.encode()).kind == "solaris-routes"


def test_solaris_own_and_multicast_entries_are_no_neighbours() -> None:
    found, unparsed = solaris.neighbours(golden("solaris/arp-an.txt"))
    assert unparsed == []
    assert entries(found) == [
        ("10.3.0.1", "00:04:ac:7c:00:01", "dynamic"),
        ("10.3.0.77", "", "incomplete"),
        ("10.3.1.41", "00:14:4f:02:0b:01", "static"),
    ]


def test_solaris_statistics_are_keyed_by_link_and_name() -> None:
    found, unparsed = solaris.statistics(golden("solaris/kstat-p.txt"))
    assert unparsed == []
    assert (found["nge0"]["rbytes64"], found["nge0"]["ifspeed"]) == (800600, 1_000_000_000)


def test_gigarouter_cards_ports_and_circuits_are_parsed() -> None:
    cards, unparsed = grf.cards(golden("grf/grcard.txt"))
    assert unparsed == []
    assert [(card.slot, card.hardware, card.state) for card in cards][2:] == [
        (5, "ETHER_V1", "held reset"),
        (10, "HIPPI_V1", "running"),
    ]
    ports, unparsed = grf_conf.ports(golden("grf/grifconfig.conf"))
    assert unparsed == []
    assert [(port.name, port.slot, str(port.address), port.mtu) for port in ports] == [
        ("ga000", 0, "10.70.1.2/24", 9180),
        ("gt020", 2, "10.1.0.202/24", 65520),
        ("ge050", 5, "192.0.2.2/24", 1500),
        ("gh0a0", 10, "10.50.1.3/24", 65280),
    ]
    circuits, unparsed = grf_conf.circuits(golden("grf/gratm.conf"))
    assert unparsed == []
    assert [(circuit.port, circuit.channel) for circuit in circuits] == [
        ("ga000", "0/40"),
        ("ga000", "0/41"),
        ("ga001", "1/42"),
    ]


def test_grstat_counts_drops_by_reason_and_icmp_by_section() -> None:
    (counts,), unparsed = grf.counts(golden("grf/grstat-all.txt"))
    assert unparsed == []
    assert counts.ip["packets dropped"] == 11
    assert counts.drops == {"no route to destination address": 8, "needed to frag packet but DF set": 3}
    assert counts.icmp == {"icmperr": 0, "icmpin": 2, "icmpout": 10}
    (second,), unparsed = grf.counts(golden("grf/grstat-l2.txt"))
    assert unparsed == []
    assert (second.layer2["TX bytes"], second.layer2["FIFO full"]) == (4270000, 6)


def test_vyos_interfaces_are_parsed_in_both_formats() -> None:
    old, unparsed = vyos.ports(golden("vyos/show-interfaces-1.3.txt"))
    assert unparsed == []
    assert [(port.name, port.admin_up, port.oper_up, port.description) for port in old][:3] == [
        ("eth0", True, True, "UPLINK to the campus"),
        ("eth1", True, False, ""),
        ("eth1.204", False, False, "CUSTOMER"),
    ]
    assert (old[0].addresses, old[4].addresses) == (["192.0.2.10/24", "2001:db8:1::10/64"], ["10.8.0.1/32"])
    new, unparsed = vyos.ports(golden("vyos/show-interfaces-1.4.txt"))
    assert unparsed == []
    assert (new[1].mac, new[1].mtu, new[3].mac) == ("02:53:00:00:00:11", 9000, "")
    assert new[0].addresses == old[0].addresses


def test_bgp_neighbour_with_a_count_is_established_and_may_span_two_lines() -> None:
    found = vyos.speaker(golden("vyos/show-ip-bgp-summary.txt"))
    assert (found.router_id, found.number, found.unparsed) == ("192.0.2.10", 64496, [])
    assert [(peer.address, peer.number, peer.state, peer.prefixes) for peer in found.peers] == [
        ("192.0.2.1", 64500, "Established", 44),
        ("192.0.2.9", 64501, "Idle (Admin)", None),
        ("2001:db8:ffff:ffff:ffff::9", 4200000001, "Active", None),
        ("sw1(10.20.4.2)", 64502, "Established", 0),
    ]
    assert vyos.speaker("% BGP instance not found\n") == vyos.Speaker()


@pytest.mark.parametrize(
    "line",
    [
        "what is this?",
        "999.1.2.3 dev p0 lladdr 02:00:00:00:00:01 REACHABLE",
        "? (999.1.2.3) at 02:00:00:00:00:01 [ether] on p0",
        "999.1.2.3 ether 02:00:00:00:00:01 C p0",
        "999.0.0.0/8 dev p0",
        "10.0.0.0/8 dev p0 frobnicate 3",
        "nge0 999.3.0.1 255.255.255.255 00:04:ac:7c:00:01",
        "10.0.0.0 999.3.0.1 UG 1 1 nge0",
        "gt020 999.1.0.1 255.255.255.0",
        "PVC gt020",
    ],
)
def test_every_parser_keeps_unknown_lines(line: str) -> None:
    for read in (
        ip_links.links,
        ip_routes.routes,
        linux_text.neighbours,
        linux_text.arp,
        linux_text.arp_table,
        solaris.ports,
        solaris.statistics,
        solaris.neighbours,
        solaris_routes.rows,
        solaris_routes.answer,
        grf.cards,
        grf.counts,
        grf_conf.ports,
        grf_conf.circuits,
        vyos.ports,
    ):
        assert read(line) == (type(read(line)[0])(), [line]), read.__module__
    assert vyos.speaker(line).unparsed == [line]
