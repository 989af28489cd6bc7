"""RIP (RFC 2453) and router discovery (RFC 1256) messages accepted by labgated."""

from __future__ import annotations

import struct
from ipaddress import IPv4Address, IPv4Network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstay_lab.labgated import discovery, rip
from backstay_lab.labgated.discovery import BadAdvertisementError, Routers
from backstay_lab.labgated.rip import BadMessageError, Entry, RipTable

GRF, ATM = IPv4Address("10.1.0.201"), IPv4Address("10.1.0.15")
DEFAULT = IPv4Network("0.0.0.0/0")


def row(prefix: str, metric: int, via: str = "0.0.0.0", family: int = 2) -> bytes:
    net = IPv4Network(prefix)
    numbers = (int(net.network_address), int(net.netmask), int(IPv4Address(via)), metric)
    return struct.pack(">HHIIII", family, 0, *numbers)


def message(*rows: bytes, version: int = 2, command: int = 2) -> bytes:
    return struct.pack(">BBH", command, version, 0) + b"".join(rows)


PASSWORD = struct.pack(">HH16s", 0xFFFF, 2, b"secret")


def test_response_gives_its_routes() -> None:
    octets = message(row("0.0.0.0/0", 1), row("192.0.2.0/24", 3, "10.1.0.9"))
    assert rip.response(octets) == [
        Entry(DEFAULT, 1),
        Entry(IPv4Network("192.0.2.0/24"), 3, IPv4Address("10.1.0.9")),
    ]


def test_invalid_entries_are_skipped_and_others_accepted() -> None:
    holes = struct.pack(">HHIIII", 2, 0, 0x0A000000, 0xFF00FF00, 0, 1)
    octets = message(
        row("0.0.0.0/0", 0), row("0.0.0.0/0", 17), row("10.0.0.0/8", 1, family=7), holes, row("10.0.0.0/8", 2)
    )
    assert rip.response(octets) == [Entry(IPv4Network("10.0.0.0/8"), 2)]


@pytest.mark.parametrize(
    "octets",
    [
        b"",
        b"\x02\x02\x00",
        message(row("0.0.0.0/0", 1))[:-1],
        message(command=1),
        message(version=3),
        message(*[row("0.0.0.0/0", 1)] * 26),
        message(struct.pack(">HHIIII", 0xFFFF, 3, 0, 0, 0, 0)),
    ],
)
def test_invalid_response_is_refused(octets: bytes) -> None:
    with pytest.raises(BadMessageError):
        rip.response(octets)


def test_password_must_be_present_exactly_if_configured() -> None:
    plain, signed = message(row("0.0.0.0/0", 1)), message(PASSWORD, row("0.0.0.0/0", 1))
    assert rip.response(signed, "secret") == [Entry(DEFAULT, 1)]
    for octets, password in ((signed, ""), (signed, "other"), (plain, "secret")):
        with pytest.raises(BadMessageError, match="password"):
            rip.response(octets, password)


def test_version_1_routes_are_classful_or_host_routes() -> None:
    octets = message(
        *(struct.pack(">HHIIII", 2, 0, net, 0, 0, 1) for net in (0, 0x0A000000, 0x0A010203)), version=1
    )
    assert [str(entry.prefix) for entry in rip.response(octets)] == ["0.0.0.0/0", "10.0.0.0/8", "10.1.2.3/32"]
    with pytest.raises(BadMessageError):
        rip.response(octets, version=2)


@given(st.binary(max_size=600))
def test_arbitrary_bytes_are_handled(octets: bytes) -> None:
    for parse in (rip.response, discovery.advertisement):
        try:
            parse(octets)
        except (BadMessageError, BadAdvertisementError):
            continue


def test_route_not_repeated_expires_after_180_s_and_is_removed_after_120_more() -> None:
    table = RipTable()
    table.receive(Entry(DEFAULT, 1), GRF, "css0", 1, 0.0)
    table.receive(Entry(DEFAULT, 1), ATM, "css0", 1, 30.0)
    table.tick(179.9)
    assert [item.deleted for item in table.learned()] == [None, None]
    assert table.next_tick() == 180.0
    table.tick(180.0)
    assert [(item.metric, item.deleted) for item in table.learned()] == [(16, 180.0), (2, None)]
    table.receive(Entry(DEFAULT, 1), ATM, "css0", 1, 200.0)
    table.tick(300.0)
    assert [item.neighbour for item in table.learned()] == [ATM]


def test_neighbour_withdraws_with_metric_16_and_returns() -> None:
    table = RipTable(scale=0.01)
    table.receive(Entry(DEFAULT, 16), GRF, "css0", 1, 0.0)
    assert table.learned() == []
    table.receive(Entry(DEFAULT, 15), GRF, "css0", 1, 0.0)
    assert table.learned() == []
    table.receive(Entry(DEFAULT, 3), GRF, "css0", 1, 0.0)
    table.receive(Entry(DEFAULT, 16), GRF, "css0", 1, 0.5)
    assert [(item.metric, item.deleted) for item in table.learned()] == [(16, 0.5)]
    assert table.next_tick() == pytest.approx(1.7)
    table.receive(Entry(DEFAULT, 3), GRF, "css0", 1, 0.6)
    assert [(item.metric, item.deleted) for item in table.learned()] == [(4, None)]


def advertised(lifetime: int, *routers: tuple[IPv4Address, int]) -> bytes:
    rows = b"".join(struct.pack(">Ii", int(router), level) for router, level in routers)
    bare = struct.pack(">BBHBBH", 9, 0, 0, len(routers), 2, lifetime) + rows
    return bare[:2] + struct.pack(">H", discovery.checksum(bare)) + bare[4:]


def test_routers_expire_by_their_lifetime_and_the_highest_level_is_used() -> None:
    lifetime, routers = discovery.advertisement(advertised(12, (GRF, 10), (ATM, 5)))
    known = Routers()
    for router, level in routers:
        known.receive(router, level, lifetime, 0.0)
    assert list(known.best()) == [GRF]
    known.receive(ATM, 5, 12, 6.0)
    known.tick(12.0)
    assert list(known.best()) == [ATM]
    known.receive(ATM, 5, 0, 13.0)
    assert known.best() == {}
    assert known.next_tick() is None


def test_advertisement_with_wrong_checksum_or_length_is_refused() -> None:
    good = advertised(12, (GRF, 0))
    for bad in (good[:-1] + b"\x01", good[:8], b"\x0a" + good[1:]):
        with pytest.raises(BadAdvertisementError):
            discovery.advertisement(bad)


def test_solicitation_has_a_valid_checksum() -> None:
    assert discovery.checksum(discovery.solicitation()) == 0
