"""Output of AIX and IRIX commands: golden inputs written after the manuals, and external samples."""

from ipaddress import IPv4Address, ip_network
from pathlib import Path

import pytest

from backstay_agent.collectors.ssh import irix
from backstay_agent.parsers.systems import aix, entstat, netstat

GOLDEN = Path(__file__).parents[1] / "golden"
GEAR = Path(__file__).resolve().parents[5] / "shared" / "gear" / "aix"


def golden(name: str) -> str:
    return (GOLDEN / name).read_text()


def gear(name: str) -> str:
    if not (GEAR / name).exists():
        pytest.skip("../shared/gear is absent")
    return (GEAR / name).read_text()


def test_transmit_and_receive_columns_are_separated() -> None:
    found = entstat.statistics(golden("aix/netstat-v.txt"))
    assert found.unparsed == []
    ethernet, fddi = found.devices
    assert (ethernet.name, ethernet.medium, fddi.medium) == ("en0", "ETHERNET", "FDDI")
    assert (ethernet.sent["Bytes"], ethernet.received["Bytes"]) == ("600300", "750450")
    assert (ethernet.sent["Packets Dropped"], ethernet.received["Packets Dropped"]) == ("3", "4")
    assert ethernet.received["Bad Packets"] == "0", "the left half of that line is empty"
    assert ethernet.other["Media Speed Running"] == "100 Mbps Full Duplex"
    assert ethernet.flags == ["Up", "Broadcast", "Running", "Simplex", "64BitSupport"]


def test_unopened_device_is_a_separate_error() -> None:
    output = "entstat: 0909-002 Unable to open device en3, errno = 13\n"
    assert entstat.statistics(output).errors == [output.strip()]


def test_aix_networks_lack_their_trailing_zeros() -> None:
    routes, unparsed = aix.routes(golden("aix/netstat-rn.txt"))
    assert unparsed == []
    reported = {
        str(route.prefix): (route.protocol, str(route.next_hops[0].via), route.next_hops[0].port)
        for route in routes
    }
    assert reported == {
        "0.0.0.0/0": ("boot", "10.1.0.41", "css0"),
        "10.1.0.0/24": ("kernel", "None", "css0"),
        "10.3.1.0/24": ("kernel", "None", "fi0"),
        "10.9.0.7/32": ("static", "10.1.0.41", "css0"),
        "10.255.0.0/24": ("kernel", "None", "en0"),
        "192.0.2.0/24": ("redirect", "10.3.1.1", "fi0"),
    }


def test_aix_hardware_addresses_lack_their_leading_zeros() -> None:
    entries, unparsed = aix.neighbours(golden("aix/arp-an.txt"))
    assert unparsed == []
    assert entries == [
        (IPv4Address("10.1.0.41"), "02:60:8c:00:01:2f"),
        (IPv4Address("10.255.0.254"), "00:04:ac:7c:00:09"),
        (IPv4Address("10.255.0.77"), ""),
    ]


def test_only_the_switch_send_pool_is_counted() -> None:
    assert aix.send_pool_failures(golden("aix/vdidl3-i.txt")) == (7, [])
    assert aix.send_pool_failures("") == (None, [])


def test_aix_and_irix_share_one_table_of_interfaces() -> None:
    found = netstat.interfaces(golden("aix/netstat-in.txt"))
    assert found.unparsed == []
    css0 = next(port for port in found.ports if port.name == "css0")
    assert (css0.mtu, css0.in_packets, css0.out_packets) == (65520, 70500, 60400)
    assert found.ports[0].mac == "00:04:ac:7c:31:02"


def test_irix_marks_down_ports_with_a_star_and_lists_groups_below() -> None:
    found = netstat.interfaces(golden("irix/netstat-ina.txt"))
    assert found.unparsed == []
    reported = {port.name: (port.up, port.mtu, port.collisions, port.addresses) for port in found.ports}
    assert reported["ef0"] == (True, 1500, 1204, [IPv4Address("10.255.0.17")])
    assert reported["hip0"] == (True, 65280, 0, [IPv4Address("10.2.0.7")])
    assert reported["hip1"] == (False, 65280, 0, [])
    assert irix.description("IRIX64 shift7 6.5 07151432 IP27\n") == "IRIX64 6.5 IP27"
    assert irix.description("Linux x 6.1 #1 y z") == ""


def test_unknown_lines_are_kept() -> None:
    assert netstat.interfaces("what is this\n").unparsed == ["what is this"]
    assert aix.routes("10.1.2.3.4.5 x U 1 2 en0\n")[1]
    assert aix.neighbours("no entry\n")[1]
    assert aix.ports("lo0 nothing\n")[1]
    assert aix.send_pool_failures("css0: not configured\n") == (None, ["css0: not configured"])
    assert entstat.statistics("before any head\n").unparsed == ["before any head"]


@pytest.mark.shared
def test_aix_samples_leave_nothing_unparsed() -> None:
    statistics = entstat.statistics(gear("entstat.txt"))
    assert statistics.unparsed == []
    assert statistics.devices[0].received["Bytes"] == "122798204927"
    assert entstat.statistics(gear("entstat_err.txt")).unparsed == []
    assert len(entstat.statistics(gear("entstat_err.txt")).errors) == 2
    for name in ("netstat_rn.txt", "netstat_nrf_inet.txt"):
        routes, unparsed = aix.routes(gear(name))
        assert unparsed == []
        assert routes[0].prefix == ip_network("0.0.0.0/0")
    entries, unparsed = aix.neighbours(gear("aix_arp_an.txt"))
    assert (len(entries), unparsed) == (6, [])
    ports, unparsed = aix.ports(gear("ifconfig.txt"))
    assert ([port.name for port in ports], unparsed) == (["en0", "en1", "lo0"], [])
    assert len(ports[0].addresses) == 3
