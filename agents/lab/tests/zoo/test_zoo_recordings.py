"""The descriptions of the devices and their recordings, as values."""

from __future__ import annotations

import re

import pytest

from backstay_lab.zoo.catalogue import kinds, links, zoo
from backstay_lab.zoo.device import LOOPBACK, QUIRKS, ZooDevice
from backstay_lab.zoo.recording import COUNTER, COUNTER64, TICKS, WIDTH_32, Cell, recording, snmprec

ZOO = {device.name: device for device in zoo()}
EACH = pytest.mark.parametrize("device", ZOO.values(), ids=list(ZOO))
LINE = re.compile(r"^[0-9.]+\|(2|4x?|5x?|6|64x|65|66|67|70)(:numeric)?\|.*$")


def test_forty_kinds_differ_in_name_make_and_content() -> None:
    assert len(kinds()) == 40
    assert len({device.make for device in ZOO.values()}) == 40
    assert len({snmprec(recording(device)) for device in ZOO.values()}) == 40
    assert all(re.fullmatch(r"1\.3\.6\.1\.4\.1(\.\d+)+", device.object_id) for device in ZOO.values())


def test_every_kind_has_a_quirk_and_every_quirk_a_kind() -> None:
    assert all(device.quirks for device in ZOO.values())
    assert set().union(*(device.quirks for device in ZOO.values())) == QUIRKS.keys()


@EACH
def test_recording_is_sorted_and_readable_by_snmpsim(device: ZooDevice) -> None:
    lines = snmprec(recording(device)).splitlines()
    oids = [tuple(map(int, line.partition("|")[0].split("."))) for line in lines]
    assert oids == sorted(set(oids))
    assert [line for line in lines if not LINE.match(line)] == []


@EACH
def test_device_is_the_same_at_every_call(device: ZooDevice) -> None:
    (again,) = (other for other in zoo() if other.name == device.name)
    assert again == device


def test_both_ends_of_a_cable_are_up_and_agree_on_speed_and_traffic() -> None:
    assert len(links()) == 40
    for link in links():
        a, b = (ZOO[node].port(port) for node, port in (link.a, link.b))
        assert a.speed == b.speed
        assert (a.in_bps, a.out_bps) == (b.out_bps, b.in_bps)
        assert 0 < a.in_bps < a.speed / 10
        assert (a.state, b.state) == ("up", "up")


def test_every_device_is_cabled_to_an_earlier_one() -> None:
    reached = {kinds()[0]}
    for link in links():
        assert link.a[0] in reached
        reached.add(link.b[0])
    assert reached == set(kinds())


def test_hardware_and_network_addresses_are_used_once() -> None:
    ports = [port for device in ZOO.values() for port in device.ports]
    macs = [port.mac for port in ports if port.mac]
    addresses = [address.ip for port in ports for address in port.addresses if not address.ip.is_link_local]
    assert len(set(macs)) == len(macs)
    assert len(set(addresses)) == len(addresses)


def test_address_has_the_same_hardware_address_in_every_neighbour_table() -> None:
    known: dict[str, str] = {}
    for device in ZOO.values():
        for entry in device.neighbours:
            assert known.setdefault(entry.address, entry.mac) == entry.mac
            assert any(entry.address != str(own.ip) for own in device.port(entry.port).addresses)


def test_first_devices_have_only_the_cables_between_them() -> None:
    few = zoo(5)
    assert [device.name for device in few] == list(kinds()[:5])
    assert {end[0] for link in links(5) for end in (link.a, link.b)} <= set(kinds()[:5])
    assert {peer.name for device in few for peer in device.peers} <= set(kinds()[:5])


def test_ports_that_are_down_do_not_count() -> None:
    for device in ZOO.values():
        for port in device.ports:
            moving = port.state == "up" and port.if_type != LOOPBACK
            assert (port.in_bps > 0) is moving, (device.name, port.name)


@pytest.mark.parametrize("tag", [COUNTER, TICKS])
def test_narrow_counter_wraps_and_wide_one_does_not(tag: int) -> None:
    assert Cell(tag, WIDTH_32 - 50, 10.0).at(7) == 20
    assert Cell(COUNTER64, WIDTH_32 - 50, 10.0).at(7) == WIDTH_32 + 20
    assert Cell(COUNTER64, 7).at(1_000) == 7


def test_traffic_is_scaled_and_nothing_else() -> None:
    device = ZOO["nxos"]
    whole, tenth = recording(device), recording(device, 0.1)
    for oid, cell in whole.items():
        factor = 0.1 if cell.tag in (COUNTER, COUNTER64) else 1.0
        assert tenth[oid].rate == pytest.approx(factor * cell.rate)
