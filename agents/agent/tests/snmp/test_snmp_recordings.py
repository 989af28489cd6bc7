"""Recorded devices are polled by every profile without errors, with correct values.

The benchmark's responder serves the recordings: snmpsim needs a second and a cache folder for each.
"""

from collections.abc import Iterable
from pathlib import Path

import pytest

from backstay_agent.collectors.snmp.profiles import PROFILES
from backstay_agent.host.snmp import ber
from backstay_agent.host.snmp.values import Oid
from backstay_testing.report_list import ReportList
from backstay_testing.snmp_collectors import outcome, snmp_collectors
from backstay_testing.snmp_responder import Asked, Behave, Content, Table, number, serving
from backstay_wire import (
    METRICS,
    AdjacencyReport,
    CollectorOutcome,
    DeviceReport,
    ForwardingReport,
    MetricReport,
    MetricValue,
    SnmpSource,
    SnmpV2c,
)

GEAR = Path(__file__).resolve().parents[5] / "shared" / "gear"
pytestmark = [
    pytest.mark.anyio,
    pytest.mark.shared,
    pytest.mark.skipif(not GEAR.is_dir(), reason="the recordings beside the checkout are not there"),
]
RECORDINGS = {
    path.stem: path
    for folder in ("snmprec", "snmprec-synth")
    for path in sorted((GEAR / folder).glob("*.snmprec"))
}
COUNTERS = (ber.COUNTER, ber.COUNTER64)
# RFC 3433, RFC 4188 and RFC 4363 are not in the table.
OTHER_MIBS = ((1, 3, 6, 1, 2, 1, 99), (1, 3, 6, 1, 2, 1, 17))


class Reports(ReportList):
    def device(self) -> DeviceReport:
        return next(report for report in self if isinstance(report, DeviceReport))

    def metrics(self) -> dict[tuple[str, str], MetricValue]:
        return {
            (item.metric, item.subject): item
            for report in self
            if isinstance(report, MetricReport)
            for item in report.metrics
        }


def recorded(path: Path) -> Table:
    """A .snmprec file: `OID|type|value`, an x behind the type meaning hexadecimal."""
    objects: dict[Oid, Content] = {}
    for line in path.read_text(encoding="latin-1").splitlines():
        name, _, rest = line.partition("|")
        kind, _, value = rest.partition("|")
        if name and kind.rstrip("x").isdigit():
            oid = tuple(int(part) for part in name.strip(".").split("."))
            objects[oid] = _content(int(kind.rstrip("x")), value, hexadecimal=kind.endswith("x"))
    return Table(objects)


def _content(tag: int, value: str, *, hexadecimal: bool) -> Content:
    if hexadecimal:
        return tag, bytes.fromhex(value)
    if tag == ber.OBJECT:
        return tag, ber.encode_oid(tuple(int(part) for part in value.strip(".").split(".")))
    if tag == ber.ADDRESS:
        return tag, bytes(int(part) for part in value.split("."))
    if tag in (ber.INTEGER, *ber.UNSIGNED):
        return number(int(value), tag)
    return tag, value.encode("latin-1")


def living(table: Table) -> Behave:
    """The device responds, and all its counters grow."""
    counters = [(oid, content) for oid, content in table.objects.items() if content[0] in COUNTERS]

    def behave(asked: Asked) -> Iterable[bytes]:
        for place, (oid, (tag, content)) in enumerate(counters):
            grown = (int.from_bytes(content, "big") + 1) % (1 << (64 if tag == ber.COUNTER64 else 32))
            counters[place] = (oid, number(grown, tag))
            table.objects[oid] = counters[place][1]
        yield table.answer(asked)

    return behave


async def polled(name: str) -> tuple[Reports, list[CollectorOutcome]]:
    """Poll a recording twice with both collectors; reports and outcomes."""
    reports = Reports()
    async with serving(living(recorded(RECORDINGS[name]))) as port:
        source = SnmpSource(
            device=name, interval_s=2, address="127.0.0.1", port=port, access=SnmpV2c(community="public")
        )
        async with snmp_collectors(source, reports) as collectors:
            outcomes = [await outcome(collector) for _ in range(2) for collector in collectors]
    return reports, outcomes


@pytest.mark.parametrize("name", RECORDINGS)
async def test_recorded_device_is_polled_without_errors(name: str) -> None:
    reports, outcomes = await polled(name)
    assert set(outcomes) <= {CollectorOutcome.OK, CollectorOutcome.NO_DATA}
    assert reports.device().sys_descr
    for metric, _ in reports.metrics():
        assert metric in METRICS


async def test_gigarouter_reports_cards_circuits_and_switch_node() -> None:
    reports, _ = await polled("grf400")
    metrics = {key: item.value for key, item in reports.metrics().items()}
    assert metrics[("grf.gated", "")] == "running"
    assert metrics[("grf.temperature", "")] == "normal"
    assert metrics[("grf.card_state", "card 2 (SP switch)")] == "running"
    assert metrics[("grf.circuits", "ga000")] == 2
    assert metrics[("grf.next_hop", "ga000 10.70.1.2 over 0/32")] == "active"
    assert metrics[("grf.next_hop", "ga000 10.70.1.3 over 0/33")] == "inactive"
    assert metrics[("sp.arp", "grf1")] == "enabled"
    assert metrics[("sp.address_rule", "grf1")] == "not needed"
    assert {port.if_type for port in reports.device().ports} == {1, 15, 37, 47, 49}


async def test_hippi_switch_reports_its_clock() -> None:
    reports, _ = await polled("ps32")
    assert reports.device().clock == 908_372_220_500_000_000  # the middle of 14 October 1998, 13:37:00


async def test_ethernet_switch_reports_neighbours_and_learnt_addresses() -> None:
    reports, _ = await polled("dell-sonic")
    (neighbours,) = (report for report in reports if isinstance(report, AdjacencyReport))
    assert len(neighbours.adjacencies) > 5
    names = {port.name for port in reports.device().ports}
    assert {adjacency.port for adjacency in neighbours.adjacencies} <= names
    (learnt,) = (report for report in reports if isinstance(report, ForwardingReport))
    assert all(entry.port in names and entry.vlan for entry in learnt.entries)
    assert any(metric.startswith("entity.") for metric, _ in reports.metrics())


def test_every_object_read_by_profiles_is_in_the_oid_table() -> None:
    lines = (GEAR / "OID-TABLE.tsv").read_text().splitlines()
    known = {line.split("\t")[2] for line in lines}
    read = {column for profile in PROFILES.values() for column in (*profile.columns, *profile.polled)}
    missing = {column for column in read if ".".join(map(str, column)) not in known}
    assert {column for column in missing if column[: len(OTHER_MIBS[0])] not in OTHER_MIBS} == set()
