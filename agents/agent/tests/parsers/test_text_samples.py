"""External text samples parse to the values that their pages document."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from backstay_agent.parsers.linux import ip_links, ip_routes, linux_text
from backstay_agent.parsers.systems import aix, grf, grf_conf, solaris, solaris_routes, vyos
from backstay_wire import Neighbour

GEAR = Path(__file__).resolve().parents[5] / "shared" / "gear"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not GEAR.is_dir(), reason="../shared/gear is absent"),
]


def gear(name: str) -> str:
    return (GEAR / name).read_text()


def expected_rows(name: str) -> list[dict[str, Any]]:
    """The values that a sample's page documents."""
    rows: list[dict[str, Any]] = yaml.safe_load(gear(f"linux/{name}.yml"))["parsed_sample"]
    return rows


@pytest.mark.parametrize("name", ["linux_ip_link_show", "linux_ip_address_show2"])
def test_linux_ports(name: str) -> None:
    found, unparsed = ip_links.links(gear(f"linux/{name}.raw"))
    assert unparsed == []
    assert [
        (
            port.index,
            port.name,
            port.flags,
            port.mtu,
            port.medium,
            port.mac,
            port.alias,
            port.master,
            port.addresses,
        )
        for port in found
    ] == [
        (
            int(row["id"]),
            row["interface"],
            frozenset(row["flags"].split(",")),
            int(row["mtu"]),
            row["type"],
            row["mac_address"],
            row.get("alias", ""),
            row["master"],
            [
                f"{address}/{length}"
                for family in ("ip", "ipv6")
                for address, length in zip(
                    row.get(f"{family}_addresses", []),
                    row.get(f"{family}_masks", []),
                    strict=True,
                )
            ],
        )
        for row in expected_rows(name)
    ]


@pytest.mark.parametrize(
    "name", ["linux_ip_route_show", "linux_ip_route_show2", "linux_ip_route_show_linkdown"]
)
def test_linux_routes(name: str) -> None:
    found, unparsed = ip_routes.routes(gear(f"linux/{name}.raw"))
    assert unparsed == []
    assert [
        (
            str(route.prefix),
            route.protocol,
            route.metric,
            route.next_hops[0].port,
            str(route.next_hops[0].via or ""),
        )
        for route in found
    ] == [
        (
            _prefix(row["network"]),
            row["protocol"] or "boot",
            int(row["metric"] or 0),
            row["nexthop_if"],
            row["nexthop_ip"],
        )
        for row in expected_rows(name)
    ]


def _prefix(network: str) -> str:
    if network == "default":
        return "0.0.0.0/0"
    return network if "/" in network else f"{network}/32"


def _neighbours(found: list[Neighbour]) -> list[tuple[str, str, str]]:
    return [(str(entry.address), entry.mac, entry.port) for entry in found]


def _rows(name: str) -> list[tuple[str, str, str]]:
    return [
        (row["ip_address"], row["mac_address"] if ":" in row["mac_address"] else "", row["interface"])
        for row in expected_rows(name)
    ]


def test_linux_and_vyos_neighbours() -> None:
    found, unparsed = linux_text.arp(gear("linux/linux_arp_a.raw"))
    assert (_neighbours(found), unparsed) == (_rows("linux_arp_a"), [])
    found, unparsed = linux_text.arp_table(gear("linux/vyatta_vyos_show_arp.raw"))
    assert (_neighbours(found), unparsed) == (_rows("vyatta_vyos_show_arp"), [])


def test_vyos_ports() -> None:
    found, unparsed = vyos.ports(gear("linux/vyatta_vyos_show_interfaces.raw"))
    assert unparsed == []
    assert [(port.name, port.description, port.oper_up, port.addresses) for port in found] == [
        (
            row["interface"],
            row["description"],
            row["status"] == "u/u",
            [_prefix(address) for address in row["ip_address"] if address != "-"],
        )
        for row in expected_rows("vyatta_vyos_show_interfaces")
    ]


def test_vyos_bgp_neighbours() -> None:
    found = vyos.speaker(gear("linux/vyatta_vyos_show_ip_bgp_summary.raw"))
    assert found.unparsed == []
    assert [
        (
            found.router_id,
            str(found.number),
            peer.address,
            str(peer.number),
            peer.state if peer.prefixes is None else str(peer.prefixes),
        )
        for peer in found.peers
    ] == [
        tuple(row[key] for key in ("router_id", "local_as", "bgp_neigh", "neigh_as", "state_pfxrcd"))
        for row in expected_rows("vyatta_vyos_show_ip_bgp_summary")
    ]


def test_solaris() -> None:
    ports, unparsed = solaris.ports(gear("solaris/solaris_ifconfig.txt"))
    assert unparsed == []
    assert [port.name for port in ports] == (
        ["ipmp0", "lo0", "e1000g0", "e1000g2", "net0", "net1", "ip.tun0", "eri0", "ip6.tun0", "qfe1", "vni0"]
    )
    rows, unparsed = solaris_routes.rows(gear("solaris/solaris_netstat_rn.txt"))
    assert (len(rows), unparsed) == (5, [])
    own = {port.name: port.addresses for port in ports}
    routes, unread = solaris_routes.routes(rows, {}, own)
    assert unread == []
    assert [str(route.prefix) for route in routes] == ["0.0.0.0/0", "10.13.37.0/24", "fe80::/10"]
    entries, unparsed = solaris.neighbours(gear("solaris/solaris_arp_rn.txt"))
    assert (len(entries), unparsed) == (14, [])
    for name, port in (("solaris_route_get", "e1000g0 index 3"), ("solaris11_route_get", "net1 index 2")):
        answer, unparsed = solaris_routes.answer(gear(f"solaris/{name}.txt"))
        assert (answer["gateway"], answer["interface"], unparsed) == ("10.13.37.1", port, [])


def test_grf() -> None:
    cards, unparsed = grf.cards(gear("grf/grcard.sample.txt"))
    assert ([card.state for card in cards], unparsed) == (["running"] * 3, [])
    (counts,), unparsed = grf.counts(gear("grf/grstat.sample.txt"))
    assert (counts.port, counts.icmp["icmpout"], unparsed) == ("gf001", 3, [])
    assert counts.ip["packets dropped"] == sum(counts.drops.values()) == 5
    (counts,), unparsed = grf.counts(gear("grf/grstat-l2.sample.txt"))
    assert (counts.layer2["RX bytes"], unparsed) == (107_210_000, [])
    ports, unparsed = grf_conf.ports(gear("grf/grifconfig.conf.sample"))
    assert ([port.mtu for port in ports], unparsed) == ([65520, 65280, 4352, 9180, 1500], [])
    circuits, unparsed = grf_conf.circuits(gear("grf/gratm.conf.sample"))
    assert ([circuit.channel for circuit in circuits], unparsed) == (["0/32", "0/33", "0/40"], [])


def test_send_pool_of_the_sp_switch() -> None:
    """Extracts the tool's output from the page: the head of the pool and its rows."""
    lines = gear("pssp/vdidl3.layout").splitlines()
    first = next(place for place, line in enumerate(lines) if line.startswith("send pool:"))
    printed = lines[first : first + 4]
    assert aix.send_pool_failures("\n".join(printed)) == (0, [])
    printed[-1] = printed[-1].replace("0        0        0        0", "0        4        0        0")
    assert aix.send_pool_failures("\n".join(printed)) == (4, [])
