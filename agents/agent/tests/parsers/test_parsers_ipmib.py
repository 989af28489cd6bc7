"""IP-MIB tables, old and new, valid and invalid."""

import pytest

from backstay_agent.parsers import ifmib, ipmib
from backstay_agent.parsers.ifmib import Oid, Value

Columns = dict[Oid, dict[Oid, Value]]
MAC, OTHER = b"\x02\0\0\0\0\x07", b"\x02\0\0\0\0\x08"
FOUR, SIX = (1, 4, 10, 1, 0, 1), (2, 16, *(0x20, 1, 0xD, 0xB8), *([0] * 11), 1)
LINK_LOCAL = (0xFE, 0x80, *([0] * 13), 1)
PREFIX = (*ifmib.MIB2, 4, 32, 1, 5, 2)
"""ipAddressPrefixOrigin of ifIndex 2."""
NAMES = {2: "gh010"}


def own(*rows: tuple[Oid, Value]) -> Columns:
    """ipAddressTable on ifIndex 2: (index, ipAddressPrefix)."""
    return {
        ipmib.ADDRESS_IF: {index: 2 for index, _ in rows},
        ipmib.ADDRESS_TYPE: {index: 1 for index, _ in rows},
        ipmib.ADDRESS_PREFIX: dict(rows),
    }


def masks(*rows: tuple[Oid, bytes]) -> Columns:
    """ipAddrTable on ifIndex 2."""
    return {ipmib.OLD_ADDRESS_IF: {index: 2 for index, _ in rows}, ipmib.OLD_ADDRESS_MASK: dict(rows)}


def physical(*rows: tuple[Oid, bytes]) -> Columns:
    """ipNetToPhysicalTable, all dynamic."""
    return {ipmib.PHYSICAL_MAC: dict(rows), ipmib.PHYSICAL_TYPE: {index: 3 for index, _ in rows}}


def media(*rows: tuple[Oid, bytes]) -> Columns:
    """ipNetToMediaTable, all dynamic."""
    return {ipmib.MEDIA_MAC: dict(rows), ipmib.MEDIA_TYPE: {index: 3 for index, _ in rows}}


def found(rows: Columns) -> list[tuple[str, str, str]]:
    return [(one.port, str(one.address), one.mac[-2:]) for one in ipmib.neighbours(rows, NAMES)]


def test_addresses_have_prefixes_and_no_broadcasts() -> None:
    broadcast = (*FOUR[:-1], 255)
    rows = own((FOUR, (*PREFIX, *FOUR[:-1], 0, 24)), (SIX, (*PREFIX, *SIX, 64)), (broadcast, (0, 0)))
    rows[ipmib.ADDRESS_TYPE][broadcast] = 3
    assert ipmib.addresses(rows) == {2: ["10.1.0.1/24", "2001:db8::1/64"]}


def test_addresses_of_both_tables_are_merged() -> None:
    rows = own((SIX, (*PREFIX, *SIX, 64))) | masks(((10, 1, 0, 1), b"\xff\xff\xf0\x00"))
    assert ipmib.addresses(rows) == {2: ["2001:db8::1/64", "10.1.0.1/20"]}


@pytest.mark.parametrize(
    "pointer",
    [
        (0, 0),
        (*PREFIX, *FOUR, 0),
        (*PREFIX, *FOUR, 99),
        (*PREFIX, *SIX, 64),
        (*PREFIX, 1, 4, 192, 168, 0, 0, 24),
        (*PREFIX, 24),
        (1, 3, 6, 1, 2, 1, 2, 2, 1, 1, 24),
        b"",
    ],
    ids=[
        "nowhere",
        "length 0",
        "length 99",
        "IPv6",
        "another network",
        "short",
        "another table",
        "no pointer",
    ],
)
def test_nonsensical_prefix_is_replaced_by_the_mask_or_unknown(pointer: Value) -> None:
    rows = own((FOUR, pointer))
    assert ipmib.addresses(rows) == {2: ["10.1.0.1"]}
    assert ipmib.addresses(rows | masks(((10, 1, 0, 1), b"\xff\xff\xff\x80"))) == {2: ["10.1.0.1/25"]}


@pytest.mark.parametrize("mask", [b"\0\0\0\0", b"\xff\0\xff\0", b"\xff\xff", b""])
def test_mask_that_is_none_gives_no_length(mask: bytes) -> None:
    assert ipmib.addresses(masks(((10, 1, 0, 1), mask))) == {2: ["10.1.0.1"]}


def test_neighbours_of_both_tables_are_merged_and_the_newer_decides() -> None:
    six = (2, 2, 16, *SIX[2:])
    rows = physical((six, MAC), ((2, 1, 4, 10, 1, 0, 7), MAC)) | media(
        ((2, 10, 1, 0, 7), OTHER), ((2, 10, 1, 0, 8), OTHER)
    )
    assert found(rows) == [
        ("gh010", "2001:db8::1", "07"),
        ("gh010", "10.1.0.7", "07"),
        ("gh010", "10.1.0.8", "08"),
    ]


def test_own_and_invalid_entries_of_either_table_are_left_out() -> None:
    rows = physical(((2, 1, 4, 10, 1, 0, 1), MAC)) | media(((2, 10, 1, 0, 1), MAC), ((2, 10, 1, 0, 9), MAC))
    rows[ipmib.PHYSICAL_TYPE][2, 1, 4, 10, 1, 0, 1] = 5
    rows[ipmib.MEDIA_TYPE][2, 10, 1, 0, 9] = 2
    assert found(rows) == []


def test_zoned_addresses_are_accepted() -> None:
    zoned = (4, 20, *LINK_LOCAL, 0, 0, 0, 2)
    assert found(physical(((2, *zoned), MAC), ((2, 3, 8, 10, 1, 0, 7, 0, 0, 0, 2), OTHER))) == [
        ("gh010", "fe80::1", "07"),
        ("gh010", "10.1.0.7", "08"),
    ]


def test_entries_of_a_port_that_the_device_does_not_list_show_its_index() -> None:
    rows = media(((17, 10, 1, 0, 7), MAC), ((1, 127, 0, 0, 2), MAC)) | {ifmib.IF_TYPE: {(1,): ifmib.LOOPBACK}}
    assert found(rows) == [("#17", "10.1.0.7", "07")]


def test_entry_without_a_type_is_kept() -> None:
    rows: Columns = {ipmib.MEDIA_MAC: {(2, 10, 1, 0, 7): MAC}}
    assert [one.state for one in ipmib.neighbours(rows, NAMES)] == ["other"]


@pytest.mark.parametrize(
    "index", [(), (1,), (1, 4, 1, 2, 3), (1, 4, 1, 2, 3, 256), (16, 4, 1, 2, 3, 4), (3, 4, 1, 2, 3, 4)]
)
def test_invalid_address_index_is_ignored(index: Oid) -> None:
    assert ipmib.inet_address(index) is None
