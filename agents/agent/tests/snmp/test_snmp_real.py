"""A real net-snmp agent in a namespace, over v2c and v3: discovery, rates behind its cache, restart."""

import asyncio
import contextlib
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from backstay_agent.collectors.base import NoAnswerError, UnusableError
from backstay_agent.collectors.snmp.collector import SnmpCollector
from backstay_agent.collectors.snmp.view import DeviceView
from backstay_agent.host.clock import HostClock
from backstay_agent.host.snmp.session import open_session
from backstay_agent.host.snmp.values import Rows
from backstay_agent.parsers import ifmib
from backstay_testing.namespaces import Namespace, join, run_in
from backstay_testing.report_list import ReportList
from backstay_wire import (
    DeltaOutcome,
    DeviceReport,
    NeighbourReport,
    PortSamples,
    SnmpSource,
    SnmpV2c,
    SnmpV3,
)

pytestmark = [
    pytest.mark.netns,
    pytest.mark.slow,
    pytest.mark.anyio,
    pytest.mark.skipif(shutil.which("snmpd") is None, reason="snmpd is not installed"),
]
PORT = 16161
CONFIG = f"""
agentaddress udp:{PORT}
sysName grf1
sysDescr GigaRouter of the tests
rocommunity public
engineID backstay-tests
createUser v3one SHA-256 authpass12345 AES privpass12345
createUser v3two SHA-512 authpass12345 AES-256 privpass12345
createUser v3old SHA authpass12345 AES privpass12345
rouser v3one priv
rouser v3two priv
rouser v3old priv
interface gh010 47 800000000
interface ga020 37 622080000
"""


class Device:
    """A router with snmpd and two named ports: polled at the first, with traffic at the second."""

    def __init__(self, us: Namespace, router: Namespace, folder: Path) -> None:
        self.us, self.router = us, router
        self._folder = folder
        (folder / "snmpd.conf").write_text(CONFIG)
        self.process: subprocess.Popen[bytes] | None = None

    def build(self) -> None:
        join(self.us, "m0", self.router, "gh010")
        join(self.us, "t0", self.router, "ga020")
        for space, port, address in (
            (self.us, "m0", "10.5.0.2/24"),
            (self.router, "gh010", "10.5.0.1/24"),
            (self.us, "t0", "10.6.0.2/24"),
            (self.router, "ga020", "10.6.0.1/24"),
        ):
            space.run("address", "add", address, "dev", port)

    def start(self) -> None:
        command = [
            "/usr/sbin/snmpd",
            "-f",
            "-C",
            "-c",
            str(self._folder / "snmpd.conf"),
            "-I",
            "-smux",
            "-Lf",
        ]
        command += [str(self._folder / "snmpd.log")]
        environment = {"MIBS": "", "SNMP_PERSISTENT_DIR": str(self._folder / "persistent")}
        self.process = subprocess.Popen([*self.router.enter(), *command], env=environment)

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait(5)

    def restart(self, *, keeps_boots: bool) -> None:
        """Start again; without `keeps_boots` its stored engineBoots are lost."""
        self.stop()
        if not keeps_boots:
            shutil.rmtree(self._folder / "persistent")
        self.start()


@pytest.fixture(scope="module")
def device(
    make_namespace: Callable[[], Namespace], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Device]:
    made = Device(make_namespace(), make_namespace(), tmp_path_factory.mktemp("snmpd"))
    made.build()
    made.start()
    yield made
    made.stop()


V2C = SnmpV2c(community="public")
V3 = [
    SnmpV3(user="v3one", auth_protocol="SHA-256", auth_key="authpass12345", priv_key="privpass12345"),
    SnmpV3(
        user="v3two",
        auth_protocol="SHA-512",
        auth_key="authpass12345",
        priv_protocol="AES-256",
        priv_key="privpass12345",
    ),
    SnmpV3(user="v3old", auth_protocol="SHA-1", auth_key="authpass12345", priv_key="privpass12345"),
]


def source(access: SnmpV2c | SnmpV3, **more: object) -> SnmpSource:
    arguments = {"device": "grf1", "interval_s": 2, "address": "10.5.0.1", "port": PORT, **more}
    return SnmpSource(access=access, **arguments)


def collector_of(given: SnmpSource, reports: ReportList) -> SnmpCollector:
    return SnmpCollector(
        device=given.device,
        interval_s=given.interval_s,
        session=open_session(given),
        view=DeviceView(),
        clock=HostClock(),
        emit=reports,
        local_offset=timedelta,
    )


def in_our_namespace(device: Device, work: Callable[[], object]) -> None:
    run_in(device.us, work)


async def collect_until_it_answers(collector: SnmpCollector) -> None:
    deadline = time.monotonic() + 20
    while True:
        with contextlib.suppress(NoAnswerError):
            await collector.collect()
            return
        assert time.monotonic() < deadline, "snmpd did not start"


@pytest.mark.parametrize(
    "access", [V2C, *V3], ids=["v2c", "SHA-256+AES-128", "SHA-512+AES-256", "SHA-1+AES-128"]
)
def test_discovered_ports_have_type_and_rate(device: Device, access: SnmpV2c | SnmpV3) -> None:
    reports = ReportList()

    async def work() -> None:
        collector = collector_of(source(access), reports)
        await collect_until_it_answers(collector)
        # net-snmp applies `interface` lines only when it renews its table for the first time.
        deadline = time.monotonic() + 15
        while last_device(reports).ports[0].if_type == 6 and time.monotonic() < deadline:
            await collector.collect()
        await collector.stop()

    in_our_namespace(device, lambda: asyncio.run(work()))
    found = last_device(reports)
    assert (found.sys_name, found.sys_descr) == ("grf1", "GigaRouter of the tests")
    ports = {port.name: port for port in found.ports}
    assert set(ports) == {"gh010", "ga020"}
    assert (ports["gh010"].if_type, ports["gh010"].speed) == (47, 800_000_000)
    assert (ports["ga020"].if_type, ports["ga020"].speed) == (37, 622_080_000)
    assert ports["gh010"].oper_up
    assert ports["gh010"].mtu == 1500
    assert [address for address in ports["gh010"].addresses if "." in address] == ["10.5.0.1/24"]
    assert found.clock is not None
    assert abs(found.clock - found.at) <= found.clock_error
    neighbours = next(report for report in reports if isinstance(report, NeighbourReport)).neighbours
    assert ("gh010", "10.5.0.2", "dynamic") in {(n.port, str(n.address), n.state) for n in neighbours}


def last_device(reports: ReportList) -> DeviceReport:
    return [r for r in reports if isinstance(r, DeviceReport) and r.uptime_s is not None][-1]


def test_rates_are_correct_for_a_caching_device(device: Device) -> None:
    reports = ReportList()
    octets_per_s = 0.0

    async def work() -> None:
        nonlocal octets_per_s
        collector = collector_of(source(V2C), reports)
        sending = asyncio.create_task(steady_traffic())
        await asyncio.sleep(0.5)
        await collect_until_it_answers(collector)
        for _ in range(4):
            await collector.collect()
        sending.cancel()
        octets_per_s = 1000 * FRAME
        await collector.stop()

    in_our_namespace(device, lambda: asyncio.run(work()))
    rates = []
    for report in reports:
        if isinstance(report, PortSamples):
            place = report.ports.index("ga020")
            rates.append(report.in_octets[place] / report.duration_ns * 1e9)
            assert report.outcome is None
    assert len(rates) >= 4
    # Divided by the time between polls, they would be 50 % and more apart.
    for rate in rates:
        assert rate == pytest.approx(octets_per_s, rel=0.2)
    assert sum(rates) / len(rates) == pytest.approx(octets_per_s, rel=0.06)


FRAME = 958 + 28 + 14
"""Octets that one datagram counts on an Ethernet-like port."""


async def steady_traffic() -> None:
    """1,000 datagrams per second towards the router's second port, paced by the clock."""
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    began, sent = time.monotonic(), 0
    try:
        while True:
            due = int((time.monotonic() - began) * 1000)
            for _ in range(due - sent):
                sender.sendto(b"x" * 958, ("10.6.0.1", 9))
            sent = due
            await asyncio.sleep(0.01)
    finally:
        sender.close()


def test_restarted_snmp_agent_is_a_reset_without_a_spike(device: Device) -> None:
    reports = ReportList()

    async def work() -> None:
        collector = collector_of(source(V2C, timeout_s=0.5), reports)
        await collect_until_it_answers(collector)
        device.stop()
        with pytest.raises(NoAnswerError, match="no answer from"):
            await collector.collect()
        await asyncio.sleep(1)
        device.start()
        await collect_until_it_answers(collector)
        await collector.collect()
        await collector.stop()

    in_our_namespace(device, lambda: asyncio.run(work()))
    samples = [report for report in reports if isinstance(report, PortSamples)]
    assert samples[0].outcome == [DeltaOutcome.RESET, DeltaOutcome.RESET]
    assert samples[0].in_octets == [-1, -1]
    assert samples[1].outcome is None


async def discover_within(collector: SnmpCollector, reports: ReportList, seconds: float) -> None:
    """Collect until the device is discovered again; its polls alone are no discovery."""
    count, deadline = len(discoveries(reports)), time.monotonic() + seconds
    while len(discoveries(reports)) == count:
        with contextlib.suppress(NoAnswerError, UnusableError):
            await collector.collect()
        assert time.monotonic() < deadline, "the device was not discovered again"
        await asyncio.sleep(0.2)


def discoveries(reports: ReportList) -> list[DeviceReport]:
    return [r for r in reports if isinstance(r, DeviceReport) and r.uptime_s is not None]


@pytest.mark.parametrize("keeps_boots", [True, False], ids=["boots-kept", "boots-lost"])
def test_rebooted_v3_device_is_discovered_and_walked_again_at_once(
    device: Device, *, keeps_boots: bool
) -> None:
    """A device that loses its engineBoots starts at 1 again: its answers look like replays."""
    reports, rows = ReportList(), list[Rows]()

    async def work() -> None:
        collector = collector_of(source(V3[0], timeout_s=0.5), reports)
        tables = open_session(source(V3[0], timeout_s=0.5))
        device.restart(keeps_boots=True)
        await collect_until_it_answers(collector)
        await tables.walk((ifmib.IF_DESCR,))
        device.restart(keeps_boots=keeps_boots)
        await discover_within(collector, reports, 15)
        rows.append(await tables.walk((ifmib.IF_DESCR,)))
        tables.close()
        await collector.stop()

    in_our_namespace(device, lambda: asyncio.run(work()))
    uptime_s = discoveries(reports)[-1].uptime_s
    assert uptime_s is not None
    assert uptime_s < 15
    assert rows[0][ifmib.IF_DESCR]


def test_wrong_password_is_reported_without_showing_it(device: Device) -> None:
    async def work() -> None:
        wrong = V3[0].model_copy(
            update={
                "auth_key": SnmpV3.model_validate(
                    {"user": "v3one", "auth_key": "not-the-password", "priv_key": "privpass12345"}
                ).auth_key
            }
        )
        collector = collector_of(source(wrong), ReportList())
        with pytest.raises((UnusableError, NoAnswerError)) as reported:
            await collector.collect()
        assert "not-the-password" not in str(reported.value)
        await collector.stop()

    in_our_namespace(device, lambda: asyncio.run(work()))


def test_port_that_goes_down_is_reported_at_the_next_poll(device: Device) -> None:
    reports = ReportList()

    async def work() -> None:
        collector = collector_of(source(V2C), reports)
        await collect_until_it_answers(collector)
        device.us.run("link", "set", "t0", "down")
        try:
            deadline = time.monotonic() + 15
            while not falls(reports):
                assert time.monotonic() < deadline
                await collector.collect()
        finally:
            device.us.run("link", "set", "t0", "up")
        await collector.stop()

    in_our_namespace(device, lambda: asyncio.run(work()))


def falls(reports: ReportList) -> bool:
    return any(
        port.name == "ga020" and not port.oper_up
        for report in reports
        if isinstance(report, DeviceReport)
        for port in report.ports
    )
