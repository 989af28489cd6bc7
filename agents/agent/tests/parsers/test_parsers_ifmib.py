"""IF-MIB tables, valid and invalid."""

from datetime import timedelta

import pytest

from backstay_agent.parsers import ifmib

HOUR_NS = 3_600_000_000_000


Columns = dict[ifmib.Oid, dict[ifmib.Oid, ifmib.Value]]


def table() -> Columns:
    """Rows of ports 1 to 4, of which 1 is a loopback."""
    rows: Columns = {
        ifmib.IF_TYPE: {(1,): 24, (2,): 47, (3,): 6, (4,): 6},
        ifmib.IF_DESCR: {(2,): b"gh010", (3,): b"ge030", (4,): b"ge030"},
        ifmib.IF_SPEED: {(2,): 800_000_000, (3,): 4294967295, (4,): 0},
        ifmib.IF_HIGH_SPEED: {(2,): 800, (3,): 10_000, (4,): 40_000},
        ifmib.IF_ADMIN: {(2,): 1, (3,): 1, (4,): 2},
        ifmib.IF_OPER: {(2,): 1, (3,): 2, (4,): 2},
        ifmib.IF_PHYS: {(2,): b"\x02\x00\x00\x00\x00\x01"},
        ifmib.IF_MTU: {(2,): 65280},
        ifmib.IF_HC_IN_OCTETS: {(2,): 5, (3,): 5},
    }
    return rows


def test_ports_have_name_type_and_rate_and_loopbacks_are_excluded() -> None:
    first, second, third = ifmib.ports(table(), {2: ["10.1.0.1/24"]})
    assert (first.state.name, first.state.if_type, first.state.mtu) == ("gh010", 47, 65280)
    assert first.state.speed == 800_000_000
    assert first.state.addresses == ["10.1.0.1/24"]
    assert first.state.mac == "02:00:00:00:00:01"
    assert second.state.speed == 10_000_000_000
    assert third.state.speed == 40_000_000_000
    assert (second.state.admin_up, second.state.oper_up, third.state.admin_up) == (True, False, False)
    assert [port.has_64_bit for port in (first, second, third)] == [True, True, False]


def test_ports_that_share_a_name_are_distinguished_by_index() -> None:
    assert [port.state.name for port in ifmib.ports(table(), {})] == ["gh010", "ge030#3", "ge030#4"]


def test_non_utf8_or_too_long_text_is_accepted() -> None:
    rows: Columns = {**table(), ifmib.IF_ALIAS: {(2,): b"Z\xfcrich" + b"x" * 5000 + b"\0"}}
    alias = ifmib.ports(rows, {})[0].state.alias
    assert alias.startswith("Zürich")
    assert len(alias) == 1024


@pytest.mark.parametrize(
    ("speed", "high", "stated"),
    [
        (4294967295, 0, 0),  # only "more than 32 bits", of a device without ifHighSpeed
        (4294967295, 100_000, 100_000_000_000),
        (10_000_000, 10_000, 10_000_000_000),  # ifSpeed of another age
        (1_544_000, 2, 1_544_000),  # the exact one of two that agree
        (155_520_000, 155, 155_520_000),
        (9600, 0, 9600),
        (1_410_065_408, 10_000, 10_000_000_000),  # ifSpeed modulo 2^32
        (4294967295, 4294967295, 0),  # a tunnel that states the largest number of both types
        (1_000_000_000, 4294967295, 1_000_000_000),
    ],
)
def test_high_speed_wins_unless_it_is_zero(speed: int, high: int, stated: int) -> None:
    rows: Columns = {**table(), ifmib.IF_SPEED: {(2,): speed}, ifmib.IF_HIGH_SPEED: {(2,): high}}
    assert ifmib.ports(rows, {})[0].state.speed == stated


def test_long_names_that_are_equal_when_truncated_are_distinguished() -> None:
    rows: Columns = {**table(), ifmib.IF_DESCR: {(3,): b"x" * 130 + b"1", (4,): b"x" * 130 + b"2"}}
    assert len({port.state.name for port in ifmib.ports(rows, {})}) == 3


@pytest.mark.parametrize(
    ("raw", "hours"),
    [
        (bytes([7, 178, 1, 1, 12, 0, 0, 0]), 10),  # eight octets: no zone, so this host's, two hours ahead
        (bytes([7, 178, 1, 1, 12, 0, 0, 0, 0x2B, 1, 0]), 11),  # 12:00 at +01:00
        (bytes([7, 178, 1, 1, 12, 0, 0, 0, 0x2D, 5, 0]), 17),  # 12:00 at -05:00
    ],
)
def test_device_clock_is_parsed_with_and_without_time_zone(raw: bytes, hours: int) -> None:
    assert ifmib.device_clock(raw, timedelta(hours=2)) == hours * HOUR_NS


@pytest.mark.parametrize("raw", [None, b"", b"\x07\xb2\x0d\x01\x0c\x00\x00\x00", b"12345678901", 5, bytes(8)])
def test_invalid_clock_is_ignored(raw: ifmib.Value | None) -> None:
    assert ifmib.device_clock(raw, timedelta()) is None
