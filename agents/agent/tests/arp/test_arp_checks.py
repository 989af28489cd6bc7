"""Checks before an ARP change, and the steps per port: values only."""

from collections.abc import Sequence
from ipaddress import ip_address, ip_interface

import pytest
from pydantic import ValidationError

from backstay_agent.actuators.arp_checks import check
from backstay_agent.actuators.arp_steps import MOST_PROBED, steps
from backstay_agent.host.kernel.arp_tables import ArpTables
from backstay_agent.host.kernel.port_rows import LinkRow, NeighbourRow, static_neighbour
from backstay_wire import ArpFiles, FileIntent, NodeArp, PortArp, StaticNeighbour

OWN = "027800000001"
FILES = ArpFiles(config="/etc/backstay/arp", settings="/etc/sysctl.d/60-backstay-arp.conf")
HAS = {"ipv4.conf.arp_ignore": 0, "ipv4.conf.bc_forwarding": 0, "ipv4.neigh.gc_stale_time": 60}
NOW = ArpTables(
    links=(
        LinkRow(name="css0", index=2, up=True, mtu=1500, arp=True, hardware=OWN),
        LinkRow(name="hip0", index=3, up=True, mtu=65280, arp=False),
    ),
    own={"css0": (ip_interface("10.78.0.1/24"), ip_interface("fd78::1/64"))},
    neighbours=(),
    settings={"css0": HAS, "hip0": HAS},
    table={},
)


def entry(address: str, mac: str = "02:78:00:00:00:02") -> StaticNeighbour:
    return StaticNeighbour(address=ip_address(address), mac=mac)


def intent(*neighbours: StaticNeighbour, port: str = "css0", **settings: int) -> NodeArp:
    wanted = PortArp(
        port=port,
        arp=False,
        neighbours=list(neighbours),
        settings={key.replace("__", "."): value for key, value in settings.items()},
    )
    return NodeArp(revision=1, ports=[wanted])


def output(wanted: NodeArp, **everywhere: int) -> list[tuple[str, str]]:
    found = check(wanted, NOW, {key.replace("__", "."): value for key, value in everywhere.items()}, FILES)
    return [(item.what, item.found) for item in found]


def test_valid_intent_is_accepted() -> None:
    wanted = intent(entry("10.78.0.2"), entry("fd78::2"), entry("fe80::2"), ipv4__conf__arp_ignore=1)
    assert output(wanted) == []


@pytest.mark.parametrize(
    ("neighbour", "why"),
    [
        (entry("10.77.0.2"), "is on no network of the port"),
        (entry("fd79::2"), "is on no network of the port"),
        (entry("10.78.0.1"), "is this node's own address"),
        (entry("10.78.0.255"), "is the network's broadcast address"),
        (entry("224.0.0.5"), "is not a host address"),
        (entry("ff02::1"), "is not a host address"),
        (entry("127.0.0.1"), "is not a host address"),
        (entry("10.78.0.2", "01:00:5e:00:00:05"), "is a group address"),
        (entry("10.78.0.2", "00:00:00:00:00:00"), "is not a link address"),
        (entry("10.78.0.2", "02:78:00:00:00:01"), "is this port's own link address"),
        (entry("10.78.0.2", "02:78:00:00:00:00:02:08"), "is not a link address for this kind of port"),
        (entry("10.78.0.2", "02:78:00"), "is not a link address for this kind of port"),
    ],
    ids=lambda value: str(value.address) if isinstance(value, StaticNeighbour) else value,
)
def test_invalid_entry_is_reported_with_its_reason(neighbour: StaticNeighbour, why: str) -> None:
    wanted = intent(neighbour, entry("10.78.0.9"))
    assert output(wanted) == [(f"{neighbour.address} {neighbour.mac} on css0", why)]


def test_missing_port_or_port_without_link_addresses_is_reported() -> None:
    assert output(intent(port="css9")) == [("port css9", "is not there")]
    assert output(intent(port="hip0")) == [("port hip0", "has no link addresses: nothing to resolve on it")]


def test_setting_unknown_to_this_kernel_is_reported() -> None:
    wanted = intent(ipv6__conf__accept_untracked_na=1, ipv4__neigh__gc_stale_time=90)
    assert output(wanted) == [("ipv6.conf.accept_untracked_na of css0", "is not a setting of this kernel")]


def test_setting_overridden_by_all_is_reported() -> None:
    wanted = intent(ipv4__conf__arp_ignore=1)
    assert output(wanted, ipv4__conf__arp_ignore=1) == []
    assert output(wanted, ipv4__conf__arp_ignore=2) == [
        ("ipv4.conf.arp_ignore = 1 of css0", "would have no effect: the setting of `all` is 2")
    ]
    both = intent(ipv4__conf__bc_forwarding=1)
    assert output(both, ipv4__conf__bc_forwarding=1) == []
    assert output(both, ipv4__conf__bc_forwarding=0) == [
        ("ipv4.conf.bc_forwarding = 1 of css0", "would have no effect: the setting of `all` is 0")
    ]


def test_table_limits_are_refused_outside_the_initial_namespace() -> None:
    wanted = intent().model_copy(update={"table": {"ipv4.gc_thresh3": 4096}})
    assert output(wanted) == [("ipv4.gc_thresh3", "exists in the initial network namespace only")]


def test_file_outside_the_nodes_arp_files_is_refused() -> None:
    wanted = intent().model_copy(update={"files": [FileIntent(path="/etc/shadow", text="", base="")]})
    assert output(wanted) == [("/etc/shadow", "is not one of this node's ARP files")]


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"settings": {"ipv4.conf.forwarding": 1}}, "is not a managed setting"),
        ({"settings": {"ipv4.conf.arp_announce": 3}}, "is not within 0 to 2"),
        ({"neighbours": [entry("10.78.0.2"), entry("10.78.0.2")]}, "is listed twice"),
    ],
)
def test_intent_invalid_on_any_host_is_rejected_by_the_wire(values: dict[str, object], why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        PortArp.model_validate({"port": "css0", "arp": True, **values})


def row(address: str, mac: str = "02:78:00:00:00:02") -> NeighbourRow:
    return static_neighbour("css0", ip_address(address), mac)


def todo(
    arp: bool | None, wanted: Sequence[StaticNeighbour], now: bool, have: Sequence[NeighbourRow]
) -> tuple[object, list[str], list[str], list[str]]:
    found = steps(PortArp(port="css0", arp=arp, neighbours=list(wanted)), now, have)
    put, probe, drop = ([str(item.ip) for item in rows] for rows in (found.put, found.probe, found.drop))
    assert found.empty == (found.flag is None and not (put or probe or drop))
    return found.flag, put, probe, drop


def test_arp_off_sets_all_entries_again() -> None:
    assert todo(False, [entry("10.78.0.2")], True, [row("10.78.0.2"), row("10.78.0.9")]) == (
        False,
        ["10.78.0.2"],
        [],
        [],
    )


def test_arp_on_revalidates_entries_without_interrupting_traffic() -> None:
    assert todo(True, [], False, [row("10.78.0.2")]) == (True, [], ["10.78.0.2"], [])


def test_unchanged_flag_updates_only_differing_entries() -> None:
    have = [row("10.78.0.2"), row("10.78.0.3", "02:78:00:00:00:99"), row("10.78.0.4")]
    wanted = [entry("10.78.0.2"), entry("10.78.0.3"), entry("10.78.0.5")]
    assert todo(False, wanted, False, have) == (None, ["10.78.0.3", "10.78.0.5"], [], ["10.78.0.4"])
    assert todo(True, wanted, True, have) == (None, ["10.78.0.3", "10.78.0.5"], ["10.78.0.4"], [])
    assert todo(None, wanted, True, have) == (None, ["10.78.0.3", "10.78.0.5"], [], [])
    assert todo(False, wanted, False, [row(str(item.address)) for item in wanted]) == (None, [], [], [])


def test_revalidated_entries_are_limited() -> None:
    many = [row(f"10.78.{number >> 8}.{number & 255}") for number in range(1, MOST_PROBED + 101)]
    _, _, probed, dropped = todo(True, [], True, many)
    assert (len(probed), len(dropped)) == (MOST_PROBED, 100)
    assert len(todo(True, [], False, many)[2]) == MOST_PROBED
