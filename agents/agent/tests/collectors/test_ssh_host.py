"""AIX and IRIX over real ssh: a server on the loopback address with recorded output."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import asyncssh
import pytest

from backstay_agent.collectors.base import UnusableError
from backstay_agent.collectors.ssh import aix, date, irix
from backstay_agent.collectors.ssh.collector import TextHostCollector
from backstay_agent.collectors.ssh.view import Read
from backstay_agent.host.ssh import SshError, SshHost
from backstay_testing.clock import ManualClock
from backstay_testing.report_list import ReportList
from backstay_wire import (
    NO_VALUE,
    DeltaOutcome,
    DeviceReport,
    MetricReport,
    NeighbourReport,
    PortSamples,
    RouteReport,
)

pytestmark = pytest.mark.anyio
Kind = TypeVar("Kind")

GOLDEN = Path(__file__).parents[1] / "golden"
AIX = {
    "/usr/bin/uname -n": "sp023\n",
    "/usr/bin/oslevel": "4.3.3.0\n",
    "/usr/bin/netstat -v": (GOLDEN / "aix/netstat-v.txt").read_text(),
    "/usr/sbin/ifconfig -a": (GOLDEN / "aix/ifconfig-a.txt").read_text(),
    "/usr/bin/netstat -in": (GOLDEN / "aix/netstat-in.txt").read_text(),
    "/usr/bin/netstat -rn": (GOLDEN / "aix/netstat-rn.txt").read_text(),
    "/usr/sbin/arp -an": (GOLDEN / "aix/arp-an.txt").read_text(),
    "/usr/lpp/ssp/css/vdidl3mx -i": (GOLDEN / "aix/vdidl3-i.txt").read_text(),
    "/usr/bin/vmstat 1 2": (GOLDEN / "aix/vmstat-1-2.txt").read_text(),
}
IRIX = {
    "/sbin/uname -a": "IRIX64 shift7 6.5 07151432 IP27\n",
    "/usr/etc/netstat -ina": (GOLDEN / "irix/netstat-ina.txt").read_text(),
}


@dataclass
class Server:
    """An ssh server that answers commands from a table; other commands do not exist."""

    answers: dict[str, str]
    port: int = 0
    host_key: str = ""
    key_file: str = ""
    asked: list[str] = field(default_factory=list)

    async def talk(self, process: asyncssh.SSHServerProcess[str]) -> None:
        command = process.command or ""
        self.asked.append(command)
        process.stdout.write(self.answers.get(command, ""))
        process.exit(0 if command in self.answers else 127)

    def host(self, host_key: str = "") -> SshHost:
        return SshHost(
            "127.0.0.1", self.port, "backstay", host_key=host_key or self.host_key, key_file=self.key_file
        )


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    made = Server({}, key_file=str(tmp_path / "id"))
    own, client = asyncssh.generate_private_key("ssh-ed25519"), asyncssh.generate_private_key("ssh-ed25519")
    client.write_private_key(made.key_file)
    client.write_public_key(str(tmp_path / "authorized"))
    made.host_key = own.export_public_key().decode()
    listening = await asyncssh.listen(
        "127.0.0.1",
        0,
        server_host_keys=[own],
        authorized_client_keys=str(tmp_path / "authorized"),
        process_factory=made.talk,
    )
    made.port = listening.get_port()
    yield made
    listening.close()
    await listening.wait_closed()


def collector(server: Server, read: Read, reports: ReportList, clock: ManualClock) -> TextHostCollector:
    return TextHostCollector(
        device="sp023", interval_s=30, host=server.host(), read=read, clock=clock, emit=reports
    )


def of(reports: ReportList, kind: type[Kind]) -> Kind:
    return [report for report in reports if isinstance(report, kind)][-1]


async def test_aix_ports_traffic_routes_neighbours_and_pool_are_reported(server: Server) -> None:
    server.answers = dict(AIX)
    reports, clock = ReportList(), ManualClock()
    watching = collector(server, aix.read, reports, clock)
    assert (await watching.collect()).detail == ""
    device = of(reports, DeviceReport)
    assert (device.sys_name, device.sys_descr) == ("sp023", "AIX 4.3.3.0")
    ports = {port.name: port for port in device.ports}
    assert list(ports) == ["en0", "fi0", "css0"]
    assert (ports["en0"].speed, ports["en0"].if_type, ports["en0"].mtu) == (100_000_000, 6, 1500)
    assert ports["css0"].addresses == ["10.1.0.23/24"]
    assert {str(entry.address): entry.port for entry in of(reports, NeighbourReport).neighbours} == {
        "10.1.0.41": "css0",
        "10.255.0.254": "en0",
        "10.255.0.77": "en0",
    }
    assert len(of(reports, RouteReport).routes) == 6
    assert not any(isinstance(report, PortSamples) for report in reports), "one look is no growth"

    clock.advance(30)
    server.answers["/usr/bin/netstat -v"] = (
        AIX["/usr/bin/netstat -v"].replace("600300", "601300").replace("750450", "752450")
    )
    server.answers["/usr/lpp/ssp/css/vdidl3mx -i"] = AIX["/usr/lpp/ssp/css/vdidl3mx -i"].replace(
        "        5        0", "       15        0"
    )
    await watching.collect()
    samples = of(reports, PortSamples)
    assert (samples.ports, samples.duration_ns) == (["en0", "fi0", "css0"], 30_000_000_000)
    assert (samples.in_octets, samples.out_octets) == ([2000, 0, NO_VALUE], [1000, 0, NO_VALUE])
    grown = {(item.subject, item.metric): item.value for item in of(reports, MetricReport).metrics}
    assert grown["css0", "aix.send_pool_failures"] == 10
    assert grown["en0", "aix.crc_errors"] == 0
    assert (grown["system", "aix.cpu_system"], grown["system", "aix.run_queue"]) == (62, 5)
    await watching.stop()


async def test_host_whose_vmstat_is_cut_off_keeps_its_ports(server: Server) -> None:
    server.answers = {**AIX, "/usr/bin/vmstat 1 2": "kthr    memory\n"}
    reports = ReportList()
    ran = await collector(server, aix.read, reports, ManualClock()).collect()
    assert ran.detail == "vmstat: no heads of vmstat's columns"
    assert len(of(reports, DeviceReport).ports) == 3


async def test_speed_that_traffic_contradicts_is_flagged_and_samples_are_kept(server: Server) -> None:
    server.answers = dict(AIX)
    reports, clock = ReportList(), ManualClock()
    watching = collector(server, aix.read, reports, clock)
    await watching.collect()
    outcomes = []
    for round_ in range(1, 6):
        clock.advance(30)
        # More than 100 Mbit/s for 30 s at each round.
        received = f"{750_450 + round_ * 3_000_000_000}"
        server.answers["/usr/bin/netstat -v"] = AIX["/usr/bin/netstat -v"].replace("750450", received)
        await watching.collect()
        samples = of(reports, PortSamples)
        place = samples.ports.index("en0")
        outcomes.append((samples.outcome or [DeltaOutcome.OK] * 3)[place])
    assert outcomes == [DeltaOutcome.ABSURD] * 3 + [DeltaOutcome.OK] * 2
    assert samples.in_octets[place] == 3_000_000_000
    port = {port.name: port for port in of(reports, DeviceReport).ports}["en0"]
    assert (port.speed, port.contradicted_speed) == (0, 100_000_000)


async def test_only_fixed_commands_are_run(server: Server) -> None:
    hostile = "x; reboot: flags=e08<UP,RUNNING>\n        inet 10.0.0.1 netmask 0xff000000\n"
    server.answers = {**AIX, "/usr/sbin/ifconfig -a": AIX["/usr/sbin/ifconfig -a"] + hostile}
    watching = collector(server, aix.read, ReportList(), ManualClock())
    await watching.collect()
    await watching.stop()
    assert set(server.asked) <= {*aix.COMMANDS, date.COMMAND}
    server.answers = dict(IRIX)
    server.asked.clear()
    watching = collector(server, irix.read, ReportList(), ManualClock())
    await watching.collect()
    await watching.stop()
    assert set(server.asked) == {*irix.COMMANDS, date.COMMAND}


async def test_irix_counts_packets_in_32_bits_and_no_octets(server: Server) -> None:
    server.answers = dict(IRIX)
    reports, clock = ReportList(), ManualClock()
    watching = collector(server, irix.read, reports, clock)
    await watching.collect()
    clock.advance(30)
    table = IRIX["/usr/etc/netstat -ina"]
    server.answers["/usr/etc/netstat -ina"] = table.replace("95821044", "95821144").replace("1204", "1206")
    await watching.collect()
    samples = of(reports, PortSamples)
    hip0 = samples.ports.index("hip0")
    assert (samples.in_packets[hip0], samples.in_octets[hip0]) == (100, NO_VALUE)
    assert (samples.outcome or [DeltaOutcome.OK] * 4)[hip0] is DeltaOutcome.OK
    grown = {(item.subject, item.metric): item.value for item in of(reports, MetricReport).metrics}
    assert grown["ef0", "irix.collisions"] == 2
    assert of(reports, DeviceReport).sys_descr == "IRIX64 6.5 IP27"
    await watching.stop()


async def test_host_with_another_key_is_refused(server: Server) -> None:
    stranger = asyncssh.generate_private_key("ssh-ed25519").export_public_key().decode()
    with pytest.raises(SshError, match="HostKeyNotVerifiable"):
        await server.host(stranger).run("/usr/bin/uname -n")
    assert server.asked == []


async def test_host_with_unusable_output_or_without_connection_is_an_error(server: Server) -> None:
    server.answers = {"/usr/bin/netstat -v": "netstat: 0909-002 Unable to open device en0, errno = 13\n"}
    watching = collector(server, aix.read, ReportList(), ManualClock())
    with pytest.raises(UnusableError, match="0909-002"):
        await watching.collect()
    await watching.stop()
    gone = SshHost("127.0.0.1", 1, "backstay", host_key=server.host_key, key_file=server.key_file)
    with pytest.raises(SshError, match=r"127\.0\.0\.1"):
        await gone.run("/usr/bin/uname -n")


async def test_broken_connection_is_reopened(server: Server) -> None:
    server.answers = dict(IRIX)
    host = server.host()
    assert (await host.run("/sbin/uname -a")).startswith("IRIX64")
    await host.close()
    assert (await host.run("/sbin/uname -a")).startswith("IRIX64")
    assert await host.run("/no/such/program") == ""
    await host.close()
