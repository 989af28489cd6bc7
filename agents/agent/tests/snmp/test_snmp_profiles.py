"""Profiles applied to small tables."""

import pytest

from backstay_agent.collectors.snmp.profile_reader import ProfileReader
from backstay_agent.collectors.snmp.profiles import PROFILES, DeviceFacts, profiles_of
from backstay_agent.collectors.snmp.profiles.profile import ProfileReading, objects
from backstay_agent.collectors.snmp.table_readings import TableReadings
from backstay_agent.host.snmp import ber
from backstay_agent.host.snmp.session import open_session
from backstay_agent.host.snmp.values import Oid, Value
from backstay_testing.clock import ManualClock
from backstay_testing.report_list import ReportList
from backstay_testing.snmp_collectors import read_profile, snmp_port, values
from backstay_testing.snmp_responder import Content, Table, honest, number, serving
from backstay_wire import DeltaOutcome, MetricReport, MetricValue, SnmpSource, SnmpV2c
from backstay_wire.metrics.fddi import METRICS as FDDI_METRICS

pytestmark = pytest.mark.anyio
FDDI = (1, 3, 6, 1, 2, 1, 10, 15, 73)
RING_OPS: Oid = (*FDDI, 3, 1, 1, 5)
RING: Oid = (*FDDI, 2, 2, 1, 28)


def test_profiles_are_selected_by_the_devices_identity() -> None:
    grf = DeviceFacts(
        (1, 3, 6, 1, 4, 1, 1080, 1, 4, 1), [snmp_port(1, "gf010", 15), snmp_port(2, "ga000", 37)]
    )
    assert {"grf", "sp-node", "atm", "sonet", "fddi"} <= {p.name for p in profiles_of(grf)}
    switch = {p.name for p in profiles_of(DeviceFacts((1, 3, 6, 1, 4, 1, 10, 2, 1, 4), ()))}
    assert "hippi-switch" in switch
    assert "grf" not in switch
    node = {p.name for p in profiles_of(DeviceFacts((), [snmp_port(1, "css0", 1)]))}
    assert "sp-node" in node
    assert "fddi" not in node


def test_router_reports_its_last_backup_unchanged_and_nothing_without_one() -> None:
    group = (1, 3, 6, 1, 4, 1, 1080, 1, 1, 1)
    found = values(read_profile("grf", {(*group, 12, 0): b"backup", (*group, 13, 0): b"Transfer complete"}))
    assert found[("grf.last_operation", "")] == "backup"
    assert found[("grf.backup_status", "")] == "Transfer complete"
    assert not values(read_profile("grf", {(*group, 12, 0): b" ", (*group, 13, 0): b""}))


@pytest.mark.parametrize(("address", "token"), [("0a0100c9", "kept"), ("0a0100ca", "broken")])
def test_arp_off_addresses_must_match_switch_node_numbers(address: str, token: str) -> None:
    entry = (1, 3, 6, 1, 4, 1, 2, 6, 117, 4, 1, 1)
    row: dict[int, Value] = {
        1: b"grf1",
        4: 1,
        5: 15,
        6: bytes.fromhex(address),
        7: bytes.fromhex("ffffff00"),
        9: 186,
    }
    found = values(read_profile("sp-node", {(*entry, column, 1): value for column, value in row.items()}))
    assert found[("sp.address_rule", "grf1")] == token
    assert found[("sp.arp", "grf1")] == "disabled"


def test_row_of_a_dependent_node_is_reported_as_configured() -> None:
    entry = (1, 3, 6, 1, 4, 1, 2, 6, 117, 4, 1, 1)
    row: dict[int, Value] = {
        1: b"grf1",
        2: 16,
        3: bytes.fromhex("00010500"),
        4: 2,
        5: 15,
        6: bytes([10, 1, 0, 16]),
        7: bytes([255, 255, 255, 0]),
        8: 65520,
        9: 1,
        10: 6,
        12: 1,
        15: 3,
    }
    found = values(read_profile("sp-node", {(*entry, column, 1): value for column, value in row.items()}))
    assert {name: value for (name, _), value in found.items()} == {
        "sp.node_number": 16.0,
        "sp.token": "00010500",
        "sp.arp": "enabled",
        "sp.switch_node_number": 15.0,
        "sp.address": "10.1.0.16",
        "sp.mask": "255.255.255.0",
        "sp.max_link_packet": 65520.0,
        "sp.host_offset": 1.0,
        "sp.config_state": "fullyConfigured",
        "sp.node_state": "nodeUp",
        "sp.admin_status": "reconfigure",
        "sp.address_rule": "not needed",
    }


def test_wrapped_fddi_ring_is_reported_with_counters() -> None:
    table: dict[Oid, Value] = {
        (*FDDI, 1, 2, 1, 20, 1): 8,
        (*FDDI, 2, 2, 1, 3, 1, 1): 4,
        (*RING, 1, 1): 3,
        (*FDDI, 2, 2, 1, 18, 1, 1): 8_000_000,
        (*RING_OPS, 1, 1): 12,
    }
    found = read_profile("fddi", table, snmp_port(4, "fddi0", 15))
    assert values(found) == {
        ("fddi.configuration", "station 1"): "wrap-ab",
        ("fddi.ring", "fddi0"): "ring-op",
        ("fddi.token_time", "fddi0"): 8.0,
    }
    assert [(c.metric, c.subject, c.value) for c in found.counters] == [("fddi.ring_ops", "fddi0", 12)]


def test_sonet_line_alarms_are_named() -> None:
    status = (1, 3, 6, 1, 2, 1, 10, 39, 1, 2, 1, 1, 1)
    found = values(
        read_profile(
            "sonet", {(*status, 1): 6, (*status, 2): 1}, snmp_port(1, "so0", 39), snmp_port(2, "so1", 39)
        )
    )
    assert found == {("sonet.section_status", "so0"): "LOS LOF", ("sonet.section_status", "so1"): "ok"}


def test_members_of_an_aggregate_are_counted_by_whether_they_carry_traffic() -> None:
    member = (1, 2, 840, 10006, 300, 43, 1, 2, 1, 1)
    table: dict[Oid, Value] = {}
    for index, state in ((1, 0x3C), (2, 0x20), (3, 0x3D)):
        table[(*member, 13, index)], table[(*member, 21, index)] = 9, bytes([state])
    found = values(
        read_profile(
            "lag", table, snmp_port(1, "e1"), snmp_port(2, "e2"), snmp_port(3, "e3"), snmp_port(9, "ae0", 161)
        )
    )
    assert found[("lag.member", "e1")] == "distributing"
    assert found[("lag.member", "e2")] == "waiting"
    assert found[("lag.member", "e3")] == "expired"
    assert found[("lag.members", "ae0")] == 1


@pytest.mark.parametrize(
    ("state", "label", "carrying"),
    [
        (None, "static", 1),  # speaks no LACP
        (0x00, "static", 1),
        (0x22, "static", 1),  # defaulted, passive
        (0xBE, "static", 1),  # defaulted, yet distributing
        (0xA2, "defaulted", 0),  # an LACP member that waits for its partner
    ],
)
def test_static_aggregate_counts_members_that_are_up(state: int | None, label: str, carrying: int) -> None:
    member, down = (1, 2, 840, 10006, 300, 43, 1, 2, 1, 1), snmp_port(2, "e2")
    table: dict[Oid, Value] = {(*member, 13, index): 9 for index in (1, 2)}
    if state is not None:
        table |= {(*member, 21, index): bytes([state]) for index in (1, 2)}
    down = down.model_copy(update={"oper_up": False})
    found = values(read_profile("lag", table, snmp_port(1, "e1"), down, snmp_port(9, "po9", 161)))
    assert found[("lag.member", "e1")] == label
    assert found.get(("lag.member", "e2")) != "static"
    assert found[("lag.members", "po9")] == carrying


def test_static_aggregate_is_known_from_the_interface_stack() -> None:
    stack = (1, 3, 6, 1, 2, 1, 31, 1, 2, 1, 3)
    table: dict[Oid, Value] = {
        (*stack, 9, 1): 1, (*stack, 9, 2): 2, (*stack, 0, 9): 1, (*stack, 9, 0): 1, (*stack, 1, 0): 1
    }  # fmt: skip
    found = values(
        read_profile("lag", table, snmp_port(1, "e1"), snmp_port(2, "e2"), snmp_port(9, "po9", 161))
    )
    assert found == {("lag.member", "e1"): "static", ("lag.members", "po9"): 1}


def test_neighbour_is_reported_from_its_newest_row() -> None:
    local, remote = (1, 0, 8802, 1, 1, 2, 1, 3, 7, 1), (1, 0, 8802, 1, 1, 2, 1, 4, 1, 1)
    table: dict[Oid, Value] = {(*local, 2, 7): 5, (*local, 3, 7): b"swp7"}
    for mark, name in ((10, b"old"), (90, b"<i>new</i>")):
        row: dict[int, Value] = {4: 4, 5: b"\x02\0\0\0\0\x09", 6: 5, 7: b"eth3", 9: name}
        table |= {(*remote, column, mark, 7, 1): value for column, value in row.items()}
    (adjacency,) = read_profile("lldp", table, snmp_port(31, "swp7")).adjacencies or ()
    assert (adjacency.port, adjacency.peer_name, adjacency.peer_id, adjacency.peer_port) == (
        "swp7",
        "<i>new</i>",
        "02:00:00:00:00:09",
        "eth3",
    )


def test_only_learnt_addresses_are_evidence() -> None:
    base, fdb = (1, 3, 6, 1, 2, 1, 17, 1, 4, 1, 2), (1, 3, 6, 1, 2, 1, 17, 7, 1, 2, 2, 1)
    mac = (2, 0, 0, 0, 0, 5)
    table: dict[Oid, Value] = {(*base, 1): 31, (*fdb, 2, 100, *mac): 1, (*fdb, 3, 100, *mac): 3}
    table |= {(*fdb, 2, 100, *mac[:5], 6): 1, (*fdb, 3, 100, *mac[:5], 6): 4}
    found = read_profile("bridge", table, snmp_port(31, "swp1")).forwarding or ()
    assert [(entry.port, entry.mac, entry.vlan) for entry in found] == [("swp1", "02:00:00:00:00:05", 100)]
    assert read_profile("bridge", {}).forwarding is None


@pytest.mark.parametrize(
    ("index", "vlan"),
    [
        ((1, 100), 100),
        ((1, 100, 6), 100),  # the number of octets first, as if it varied
        ((1, 65_536), 0),  # a database that is no VLAN
    ],
)
def test_learnt_address_is_kept_in_every_index_seen(index: tuple[int, ...], vlan: int) -> None:
    fdb, mac = (1, 3, 6, 1, 2, 1, 17, 7, 1, 2, 2, 1), (2, 0, 0, 0, 0, 5)
    table: dict[Oid, Value] = {(*fdb, 2, *index[1:], *mac): 31}
    found = read_profile("bridge", table, snmp_port(31, "swp1")).forwarding or ()
    assert [(entry.port, entry.mac, entry.vlan) for entry in found] == [("swp1", "02:00:00:00:00:05", vlan)]


def test_bridge_port_is_an_interface_index_if_the_device_does_not_map_it() -> None:
    base, fdb = (1, 3, 6, 1, 2, 1, 17, 1, 4, 1, 2), (1, 3, 6, 1, 2, 1, 17, 4, 3, 1, 2)
    table: dict[Oid, Value] = {(*base, 1): 31, (*fdb, 2, 0, 0, 0, 0, 5): 1, (*fdb, 2, 0, 0, 0, 0, 6): 32}
    table[(*fdb, 6, 2, 0, 0, 0, 0, 7)] = 1
    found = read_profile("bridge", table, snmp_port(31, "swp1"), snmp_port(32, "swp2")).forwarding or ()
    assert {(entry.port, entry.mac[-1]) for entry in found} == {("swp1", "5"), ("swp2", "6"), ("swp1", "7")}


def test_addresses_of_both_bridge_tables_are_merged() -> None:
    fdb, learnt = (1, 3, 6, 1, 2, 1, 17, 4, 3, 1, 2), (1, 3, 6, 1, 2, 1, 17, 7, 1, 2, 2, 1, 2)
    mac, other = (2, 0, 0, 0, 0, 5), (2, 0, 0, 0, 0, 6)
    table: dict[Oid, Value] = {(*fdb, *mac): 31, (*fdb, *other): 31, (*learnt, 7, *mac): 31}
    found = read_profile("bridge", table, snmp_port(31, "swp1")).forwarding or ()
    assert [(entry.mac[-1], entry.vlan) for entry in found] == [("5", 7), ("6", 0)]


def test_sensors_are_scaled_and_named() -> None:
    name, sensor = (1, 3, 6, 1, 2, 1, 47, 1, 1, 1, 1, 7), (1, 3, 6, 1, 2, 1, 99, 1, 1, 1)
    table: dict[Oid, Value] = {}
    for index, called, row in (
        (1, b"inlet", (8, 9, 1, 235, 1)),
        (2, b"laser", (14, 9, 2, -312, 1)),
        (3, b"rail", (4, 8, 0, 3300, 3)),
    ):
        table[(*name, index)] = called
        table |= {(*sensor, column, index): value for column, value in enumerate(row, 1)}
    found = values(read_profile("entity", table))
    assert found[("entity.temperature", "inlet")] == pytest.approx(23.5)
    assert found[("entity.optical_power", "laser")] == pytest.approx(-3.12)
    assert ("entity.voltage", "rail") not in found
    assert found[("entity.sensor", "rail")] == "nonoperational"


class Reports(ReportList):
    def last(self) -> dict[str, MetricValue]:
        report = self[-1]
        assert isinstance(report, MetricReport)
        return {item.metric: item for item in report.metrics}


async def test_counters_become_growth_except_after_a_restart(clock: ManualClock) -> None:
    objects: dict[Oid, Content] = {
        (*RING_OPS, 1, 1): number(2**32 - 3, ber.COUNTER),
        (*RING, 1, 1): number(3),
    }
    table, reports = Table(objects), Reports()
    async with serving(honest(table)) as where:
        access = SnmpV2c(community="public")
        session = open_session(
            SnmpSource(device="d", interval_s=2, address="127.0.0.1", port=where, access=access)
        )
        reader = ProfileReader(
            device="d",
            name="snmp-fddi",
            session=session,
            clock=clock,
            emit=reports,
            readings=TableReadings(clock),
        )
        device = DeviceFacts((), [snmp_port(4, "fddi0", 15)])

        async def look(count: int, *, restarts: int = 0) -> None:
            table.objects[(*RING_OPS, 1, 1)] = number(count, ber.COUNTER)
            clock.advance(10)
            await reader.read(PROFILES["fddi"], device, restarts)

        await look(2**32 - 3)
        assert set(reports.last()) == {"fddi.ring"}
        await look(4)
        grown = reports.last()["fddi.ring_ops"]
        assert (grown.value, grown.outcome) == (7, DeltaOutcome.WRAPPED)
        report = reports[-1]
        assert isinstance(report, MetricReport)
        assert report.duration_ns == 10_000_000_000
        reader.missed = True
        await look(9)
        assert reports.last()["fddi.ring_ops"].outcome is DeltaOutcome.GAP
        await look(2, restarts=1)
        fresh = reports.last()["fddi.ring_ops"]
        assert (fresh.value, fresh.outcome) == (2, DeltaOutcome.RESET)
        session.close()


_STORAGE = (1, 3, 6, 1, 2, 1, 25, 2, 3, 1)


def storage(*rows: tuple[bytes, int, int]) -> dict[Oid, Value]:
    """hrStorageTable: description, size and used blocks of each row."""
    table: dict[Oid, Value] = {}
    for index, (described, size, used) in enumerate(rows, start=1):
        table |= {(*_STORAGE, 3, index): described, (*_STORAGE, 5, index): size, (*_STORAGE, 6, index): used}
    return table


def test_storage_areas_of_one_name_are_distinguished_by_their_index() -> None:
    found = values(read_profile("host", storage((b"/", 100, 10), (b"/", 100, 20), (b"/tmp", 100, 30))))
    assert found == {
        ("host.storage_used", "/#1"): 10,
        ("host.storage_used", "/#2"): 20,
        ("host.storage_used", "/tmp"): 30,
    }


def test_storage_names_that_are_cut_to_the_same_text_stay_distinct() -> None:
    long = b"/srv/" + b"x" * 140
    found = values(read_profile("host", storage((long + b"1", 100, 10), (long + b"2", 100, 20))))
    assert set(found.values()) == {10, 20}
    assert {len(subject) for _, subject in found} == {128}


def test_storage_beyond_its_size_is_counted_as_not_understood() -> None:
    wrapped = -(1 << 31)
    read = read_profile("host", storage((b"/", 100, 130), (b"/big", wrapped, 1 << 30), (b"/cd", 0, 0)))
    assert values(read) == {("host.storage_used", "/big"): 50}
    assert read.not_understood == {"storage areas fuller than their size": 1}


def test_counters_of_rows_with_one_name_stay_apart() -> None:
    reading = ProfileReading()
    growth = next(item for item in objects(FDDI_METRICS) if item.metric.kind == "growth")
    for value, row in ((5, (1,)), (900, (2,)), (7, ())):
        reading.take(growth, "ring", value, row=row)
    counters = reading.findings().counters
    assert [(counter.subject, counter.value) for counter in counters] == [
        ("ring#1", 5),
        ("ring#2", 900),
        ("ring", 7),
    ]


def test_learnt_addresses_on_unknown_ports_are_counted() -> None:
    base, fdb = (1, 3, 6, 1, 2, 1, 17, 1, 4, 1, 2), (1, 3, 6, 1, 2, 1, 17, 4, 3, 1, 2)
    table: dict[Oid, Value] = {(*base, 1): 31, (*fdb, 2, 0, 0, 0, 0, 5): 1}
    table |= {(*fdb, 2, 0, 0, 0, 0, 6): 9, (*fdb, 2, 0, 0, 0, 0, 7): 0}
    found = read_profile("bridge", table, snmp_port(31, "swp1"))
    assert [entry.mac[-1] for entry in found.forwarding or ()] == ["5"]
    assert found.not_understood == {"addresses on bridge ports without an interface": 1}


def test_neighbours_on_unlisted_ports_are_kept_and_counted() -> None:
    remote = (1, 0, 8802, 1, 1, 2, 1, 4, 1, 1)
    table: dict[Oid, Value] = {(*remote, 9, 0, 31, 1): b"near", (*remote, 9, 0, 77, 1): b"far"}
    found = read_profile("lldp", table, snmp_port(31, "swp1"))
    assert [(one.port, one.peer_name) for one in found.adjacencies or ()] == [
        ("swp1", "near"),
        ("port 77", "far"),
    ]
    assert found.not_understood == {"neighbours on ports that the device does not list": 1}
