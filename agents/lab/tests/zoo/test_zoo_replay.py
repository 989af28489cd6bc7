"""All forty kinds, served by snmpsim, are polled by the real collectors: what they report is what the
descriptions state.

snmpsim is independent of our SNMP code; the expected values follow from the descriptions, not from the
recordings.
"""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

import pytest

from backstay_agent.collectors.snmp.collector import SnmpCollector
from backstay_agent.collectors.snmp.metrics import SnmpMetrics
from backstay_agent.collectors.snmp.neighbours import SnmpNeighbours
from backstay_agent.collectors.snmp.view import DeviceView
from backstay_agent.host.clock import HostClock
from backstay_agent.host.snmp.session import open_session
from backstay_agent.host.snmp.values import SnmpTimeoutError
from backstay_lab.credentials import Credentials, new_credentials
from backstay_lab.zoo.catalogue import zoo
from backstay_lab.zoo.device import LOOPBACK, VLAN, ZooDevice, ZooPort
from backstay_lab.zoo.recording import UNKNOWN_LLDP_PORT
from backstay_lab.zoo.service import PROGRAM, command, write_files
from backstay_testing.ports import free_udp_port
from backstay_testing.report_list import ReportList
from backstay_wire import (
    AdjacencyReport,
    CollectorOutcome,
    DeltaOutcome,
    DeviceReport,
    ForwardingReport,
    MetricReport,
    NeighbourReport,
    PortSamples,
    SnmpSource,
    SnmpV2c,
    SnmpV3,
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(400),
    pytest.mark.skipif(not PROGRAM.exists(), reason="snmpsim is not installed"),
]
ZOO = {device.name: device for device in zoo()}
EACH = pytest.mark.parametrize("device", ZOO.values(), ids=list(ZOO))
INTERVAL_S = 10
BETWEEN_S = 3.0
"""Between two polls: the error of a poll's time is far below it."""
SYS_DESCR = (1, 3, 6, 1, 2, 1, 1, 1, 0)
T = TypeVar("T")


@dataclass
class Polled:
    """What two polls of every collector of a device gave."""

    reports: ReportList
    outcomes: list[CollectorOutcome]
    detail: str

    def newest(self, kind: type[T]) -> T:
        return [report for report in self.reports if isinstance(report, kind)][-1]

    def metrics(self) -> dict[tuple[str, str], object]:
        return {
            (item.metric, item.subject): item.value
            for report in self.reports
            if isinstance(report, MetricReport)
            for item in report.metrics
        }


def source(device: ZooDevice, port: int, credentials: Credentials) -> SnmpSource:
    access: SnmpV2c | SnmpV3 = SnmpV2c(community=credentials.community)
    if "v3" in device.quirks:
        access = SnmpV3(user=credentials.user, auth_key=credentials.auth_key, priv_key=credentials.priv_key)
    return SnmpSource(
        device=device.name,
        interval_s=INTERVAL_S,
        address=f"127.0.3.{device.number}",
        port=port,
        access=access,
        timeout_s=10,
    )


async def answering(given: SnmpSource) -> None:
    """Wait until snmpsim has indexed its recordings."""
    session = open_session(given.model_copy(update={"timeout_s": 1.0}))
    try:
        async with asyncio.timeout(120):
            while True:
                try:
                    if await session.get([SYS_DESCR]):
                        return
                except SnmpTimeoutError:
                    await asyncio.sleep(0.1)
    finally:
        session.close()


async def polled(given: SnmpSource) -> Polled:
    """All collectors of one device once, and its counters again."""
    reports, view, clock = ReportList(), DeviceView(), HostClock()
    shared: dict[str, Any] = {
        "device": given.device,
        "interval_s": given.interval_s,
        "view": view,
        "clock": clock,
        "emit": reports,
    }
    counters = SnmpCollector(session=open_session(given), local_offset=timedelta, **shared)
    metrics = SnmpMetrics(session=open_session(given), **shared)
    neighbours = SnmpNeighbours(session=open_session(given), **shared)
    try:
        outcomes = [(await item.collect()).outcome for item in (counters, metrics, neighbours)]
        await asyncio.sleep(BETWEEN_S)
        ran = await counters.collect()
    finally:
        for item in (counters, metrics, neighbours):
            await item.stop()
    return Polled(reports, [*outcomes, ran.outcome], ran.detail)


async def all_polled(port: int, credentials: Credentials) -> dict[str, Polled]:
    """Every device, a few at a time: one process answers for all of them."""
    limit = asyncio.Semaphore(4)

    async def one(device: ZooDevice) -> Polled:
        async with limit:
            return await polled(source(device, port, credentials))

    await answering(source(ZOO["nxos"], port, credentials))
    return dict(zip(ZOO, await asyncio.gather(*map(one, ZOO.values())), strict=True))


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Polled]]:
    folder, port, credentials = tmp_path_factory.mktemp("zoo"), free_udp_port(), new_credentials()
    write_files(folder, list(ZOO.values()), credentials, lambda device: f"127.0.3.{device.number}:{port}")
    log = folder / "log"
    with log.open("wb") as output:
        server = subprocess.Popen(command(), cwd=folder, stdout=output, stderr=output)
    try:
        yield asyncio.run(all_polled(port, credentials))
    finally:
        server.terminate()
        server.wait(10)
        assert "Traceback" not in log.read_text()


def listed(device: ZooDevice) -> list[ZooPort]:
    return [port for port in device.ports if port.if_type != LOOPBACK]


def addresses(device: ZooDevice, port: ZooPort) -> set[str]:
    """With prefix lengths, where a table has one."""
    last = [address for one in device.ports for address in one.addresses if address.version == 4][-1:]
    only_old = bool(device.quirks & {"old-addresses", "mib2"})
    expected = set()
    for address in port.addresses:
        if address.version == 6 and only_old:
            continue
        nowhere = address.version == 6 and "prefix-nowhere" in device.quirks
        unmasked = address in last and "bad-masks" in device.quirks and only_old
        expected.add(str(address.ip) if nowhere or unmasked else str(address))
    return expected


@EACH
def test_every_collector_succeeds(device: ZooDevice, found: dict[str, Polled]) -> None:
    assert set(found[device.name].outcomes) <= {CollectorOutcome.OK, CollectorOutcome.NO_DATA}
    assert found[device.name].detail == ""


@EACH
def test_ports_are_those_of_the_description(device: ZooDevice, found: dict[str, Polled]) -> None:
    report = found[device.name].newest(DeviceReport)
    assert (report.sys_name, report.sys_descr) == (device.name, device.descr)
    reported = {
        (port.name, port.index, port.if_type, port.speed, port.admin_up, port.oper_up, port.mac)
        for port in report.ports
    }
    expected = {
        (
            port.name,
            port.index,
            port.if_type,
            port.speed,
            port.state != "disabled",
            port.state == "up",
            port.mac,
        )
        for port in listed(device)
    }
    assert reported == expected


@EACH
def test_addresses_are_those_of_the_description(device: ZooDevice, found: dict[str, Polled]) -> None:
    report = found[device.name].newest(DeviceReport)
    reported = {port.name: set(port.addresses) for port in report.ports}
    assert reported == {port.name: addresses(device, port) for port in listed(device)}


@EACH
def test_neighbours_are_those_of_the_description(device: ZooDevice, found: dict[str, Polled]) -> None:
    report = found[device.name].newest(NeighbourReport)
    reported = sorted((entry.port, str(entry.address), entry.mac) for entry in report.neighbours)
    assert reported == sorted((entry.port, entry.address, entry.mac) for entry in device.neighbours)


@EACH
def test_learnt_addresses_are_those_of_the_description(device: ZooDevice, found: dict[str, Polled]) -> None:
    reports = [report for report in found[device.name].reports if isinstance(report, ForwardingReport)]
    if not device.learnt:
        assert not any(report.entries for report in reports)
        return
    vlan = 0 if device.bridge == "d" or "fdb-ids" in device.quirks else VLAN
    reported = sorted((entry.port, entry.mac, entry.vlan) for entry in reports[-1].entries)
    assert reported == sorted((entry.port, entry.mac, vlan) for entry in device.learnt)


@EACH
def test_lldp_neighbours_are_those_of_the_description(device: ZooDevice, found: dict[str, Polled]) -> None:
    reports = [report for report in found[device.name].reports if isinstance(report, AdjacencyReport)]
    expected = {(peer.port, peer.name, peer.chassis, peer.peer_port) for peer in device.peers}
    if "lldp-unknown-port" in device.quirks:
        expected.add((f"port {UNKNOWN_LLDP_PORT}", "phone-1", "0e:5a:00:00:00:01", "port 1"))
    reported = {
        (entry.port, entry.peer_name, entry.peer_id, entry.peer_port)
        for report in reports[-1:]
        for entry in report.adjacencies
    }
    assert reported == expected


@EACH
def test_counters_grow_at_the_described_rates(device: ZooDevice, found: dict[str, Polled]) -> None:
    samples = found[device.name].newest(PortSamples)
    assert set(samples.ports) == {port.name for port in listed(device)}
    assert set(samples.outcome or [DeltaOutcome.OK]) <= {DeltaOutcome.OK, DeltaOutcome.WRAPPED}
    seconds = samples.duration_ns / 1e9
    for place, name in enumerate(samples.ports):
        port = device.port(name)
        for octets, bps in (
            (samples.in_octets[place], port.in_bps),
            (samples.out_octets[place], port.out_bps),
        ):
            assert octets == pytest.approx(bps / 8 * seconds, rel=0.1, abs=100)


@EACH
def test_aggregates_sensors_and_storage_are_reported(device: ZooDevice, found: dict[str, Polled]) -> None:
    metrics = found[device.name].metrics()
    for port in device.ports:
        if members := [one for one in device.ports if one.aggregate == port.name]:
            assert metrics["lag.members", port.name] == len(members)
            label = "static" if device.quirks & {"static-lag", "stack-lag"} else "distributing"
            assert {metrics["lag.member", one.name] for one in members} == {label}
    for name, _, value, precision in device.sensors:
        assert value / 10**precision in [metrics[key] for key in metrics if key[1] == name]
    shares = {subject: value for (metric, subject), value in metrics.items() if metric == "host.storage_used"}
    assert shares == {
        name: pytest.approx(100 * used / (size % 2**32), abs=0.01)
        for name, size, used in device.storage
        if used <= size % 2**32
    }
