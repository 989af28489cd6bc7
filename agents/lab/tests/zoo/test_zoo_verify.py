"""net-snmp's output is understood as the descriptions state it, and the comparison can fail."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from ipaddress import ip_address

import pytest

from backstay_lab.verify.checks import compare_sets
from backstay_lab.verify.device_tables import DevicePortFacts, DeviceTables, SnmpValue, parse_walk
from backstay_lab.verify.devices import DeviceCounters
from backstay_lab.zoo.catalogue import zoo
from backstay_lab.zoo.device import LOOPBACK, ZooDevice
from backstay_lab.zoo.recording import COUNTER, COUNTER64, GAUGE, IP, NULL, OBJECT, OCTETS, Cell, recording

ZOO = {device.name: device for device in zoo()}
EACH = pytest.mark.parametrize("device", ZOO.values(), ids=list(ZOO))
CARRIER = {"up": "up", "down": "down", "disabled": "admin_down"}
NUMBERS = {COUNTER: "Counter32: ", COUNTER64: "Counter64: ", GAUGE: "Gauge32: "}


def shown(cell: Cell) -> str:
    """A value as snmpbulkwalk prints it; octets in lines of sixteen."""
    match cell.value:
        case bytes(octets) if cell.tag == OCTETS and octets:
            rows = [octets[start : start + 16].hex(" ").upper() for start in range(0, len(octets), 16)]
            return "Hex-STRING: " + "\n".join(rows)
        case bytes(octets):
            return {NULL: "NULL", IP: f"IpAddress: {'.'.join(map(str, octets))}"}.get(cell.tag, '""')
        case int(number):
            return f"{NUMBERS.get(cell.tag, 'INTEGER: ')}{number}"
        case parts:
            assert cell.tag == OBJECT
            return f"OID: .{'.'.join(map(str, parts))}"


def walked(device: ZooDevice) -> DeviceTables:
    lines = (f".{'.'.join(map(str, oid))} = {shown(cell)}" for oid, cell in recording(device).items())
    return DeviceTables(parse_walk("\n".join(lines)))


@EACH
def test_tables_are_those_of_the_description(device: ZooDevice) -> None:
    tables = walked(device)
    assert {(port.name, port.speed, port.carrier, port.mac) for port in tables.ports} == {
        (port.name, port.speed, CARRIER[port.state], port.mac)
        for port in device.ports
        if port.if_type != LOOPBACK
    }
    assert tables.neighbours() == {f"{item.port} {item.address} {item.mac}" for item in device.neighbours}
    learnt = {(port, mac) for port, macs in tables.learnt().items() for mac in macs}
    assert learnt == {(item.port, item.mac) for item in device.learnt}
    known = {item for item in tables.lldp() if item[0]}
    assert known == {(item.port, item.name, item.peer_port) for item in device.peers}
    assert any(not own for own, _, _ in tables.lldp()) is ("lldp-unknown-port" in device.quirks)


@EACH
def test_every_own_address_is_listed(device: ZooDevice) -> None:
    listed = {text.rpartition(" ")[2].partition("/")[0] for text in walked(device).addresses()}
    only_old = bool(device.quirks & {"old-addresses", "mib2"})
    own = {
        str(item.ip) for port in device.ports for item in port.addresses if item.version == 4 or not only_old
    }
    assert listed == own
    assert all(ip_address(text) for text in listed)


def test_what_a_device_does_not_have_is_left_out() -> None:
    lines = [".1.3.6.1.2 = INTEGER: 5", ".1.3.6.1.3 = No Such Instance currently exists", ".1.3.6.1.4 = NULL"]
    assert parse_walk("\n".join(lines)) == {(1, 3, 6, 1, 2): 5, (1, 3, 6, 1, 4): None}


@pytest.mark.parametrize(
    ("expected", "found", "passes"),
    [("ab", "ba", True), ("ab", "a", False), ("a", "ab", False), ("", "", True)],
)
def test_sets_differ_by_what_is_missing_and_by_what_is_too_much(
    expected: str, found: str, *, passes: bool
) -> None:
    row = compare_sets("letters", expected, found)
    assert row.passed is passes
    assert ("missing: b" in row.source) is (expected == "ab" and found == "a")
    assert ("too much: b" in row.source) is (expected == "a")


class Counted:
    """A client whose counters are given."""

    def __init__(self, *readings: Mapping[str, int]) -> None:
        self._readings = iter(readings)

    def get(self, oids: Sequence[str]) -> dict[tuple[int, ...], SnmpValue]:
        found = next(self._readings)
        return {tuple(map(int, oid.split("."))): found[oid.rpartition(".")[0]] for oid in oids}


def narrow(octets: int) -> dict[str, int]:
    table = "1.3.6.1.2.1.2.2.1"
    return {f"{table}.{column}": 0 for column in (11, 12, 14, 16, 17, 18, 20)} | {f"{table}.10": octets}


def test_narrow_counter_is_continued_beyond_its_width() -> None:
    port = DevicePortFacts(index=1, name="en0", speed=10**8, carrier="up", mac="", is_wide=False)
    client = Counted(narrow(2**32 - 10), narrow(5), narrow(25))
    counters = DeviceCounters("aix", client, [port])  # type: ignore[arg-type]
    octets = [value for _ in range(3) for value in pieces(counters.read())]
    assert octets == [2**32 - 10, 2**32 + 5, 2**32 + 25]


def pieces(read: Iterable[Mapping[tuple[str, str, str], object]]) -> list[object]:
    return [piece["aix", "en0", "in octets"] for piece in read if ("aix", "en0", "in octets") in piece]
