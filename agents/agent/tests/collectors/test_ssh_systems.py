"""Linux, Solaris, GRF and VyOS as reported by the collector from recorded output."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar, get_args
from uuid import uuid4

import pytest

from backstay_agent.collectors.ssh import grf, linux, solaris, vyos
from backstay_agent.collectors.ssh.collector import TextHostCollector
from backstay_agent.collectors.ssh.date import COMMAND as DATE
from backstay_agent.collectors.ssh.systems import READS
from backstay_agent.collectors.ssh.view import Read
from backstay_agent.report_sink import BuildReport
from backstay_testing.clock import ManualClock
from backstay_wire import (
    NO_VALUE,
    CollectorOutcome,
    DaemonReport,
    DeviceReport,
    MetricReport,
    NeighbourReport,
    PortSamples,
    Report,
    RouteReport,
    SshSource,
)
from backstay_wire.metrics import METRICS

pytestmark = pytest.mark.anyio
Kind = TypeVar("Kind")
GOLDEN = Path(__file__).parents[1] / "golden"
SHOW = "/opt/vyatta/bin/vyatta-op-cmd-wrapper show"


def golden(name: str) -> str:
    return (GOLDEN / name).read_text()


LINUX = {
    "/bin/uname -n": "gw3\n",
    "/bin/uname -srm": "Linux 6.1.0-18-amd64 x86_64\n",
    "/sbin/ip -s link show": golden("linux/ip-s-link.txt"),
    "/sbin/ip address show": golden("linux/ip-address.txt"),
    "/sbin/ip -4 route show": golden("linux/ip-route.txt"),
    "/sbin/ip -6 route show": golden("linux/ip-6-route.txt"),
    "/sbin/ip neighbour show": golden("linux/ip-neighbour.txt"),
    "/usr/sbin/arp -an": golden("linux/arp-an.txt"),
    "/bin/grep -s . /sys/class/net/*/device/net/*/speed": (
        "/sys/class/net/p0/device/net/p0/speed:10000\n/sys/class/net/p1/device/net/p1/speed:-1\n"
    ),
}
SOLARIS = {
    "/usr/bin/uname -n": "dlt4\n",
    "/usr/bin/uname -srm": "SunOS 5.10 i86pc\n",
    "/usr/sbin/ifconfig -a": golden("solaris/ifconfig-a.txt"),
    "/usr/bin/netstat -rn": golden("solaris/netstat-rn.txt"),
    "/usr/sbin/route -n get default": golden("solaris/route-get.txt"),
    "/usr/sbin/arp -an": golden("solaris/arp-an.txt"),
    next(command for command in solaris.COMMANDS if "kstat" in command): golden("solaris/kstat-p.txt"),
}
GRF = {
    "hostname": "grf1\n",
    "date -u +%Y-%m-%dT%H:%M:%SZ": "1998-09-13T13:37:00Z\n",
    "grcard": golden("grf/grcard.txt"),
    "cat /etc/grifconfig.conf": golden("grf/grifconfig.conf"),
    "cat /etc/gratm.conf": golden("grf/gratm.conf"),
    "grstat all gt020": golden("grf/grstat-all.txt"),
    "grstat -a l2 gt020": golden("grf/grstat-l2.txt"),
}
VYOS = {
    "/bin/uname -n": "edge1\n",
    "/bin/uname -srm": "Linux 5.4.243-amd64-vyos x86_64\n",
    f"{SHOW} interfaces": golden("vyos/show-interfaces-1.3.txt"),
    f"{SHOW} arp": golden("vyos/show-arp.txt"),
    f"{SHOW} ip bgp summary": golden("vyos/show-ip-bgp-summary.txt"),
    "/sbin/ip -s link show": golden("vyos/ip-s-link.txt"),
    "/sbin/ip -4 route show": "default via 192.0.2.1 dev eth0 proto bgp metric 20\n",
}


@dataclass
class Host:
    """A host that answers from a table; other commands do not exist."""

    answers: dict[str, str]
    asked: list[str] = field(default_factory=list)

    async def run(self, command: str) -> str:
        self.asked.append(command)
        return self.answers.get(command, "")

    async def close(self) -> None:
        self.asked.clear()


class Watched:
    """A collector of such a host, with its reports."""

    def __init__(self, read: Read, answers: dict[str, str], *, interval_s: float = 30) -> None:
        self.host = Host(dict(answers))
        self.clock = ManualClock()
        self.reports: list[Report] = []
        self.collector = TextHostCollector(
            device="there",
            interval_s=interval_s,
            host=self.host,
            read=read,
            clock=self.clock,
            emit=self._emit,
        )

    def _emit(self, build: BuildReport, *, urgent: bool = False, can_wait: bool = False) -> None:
        self.reports.append(build(uuid4(), len(self.reports) + 1))

    async def look(self) -> str:
        """One run, an interval later; every reported metric must be registered."""
        self.clock.advance(self.collector.interval_s)
        self.reports.clear()
        ran = await self.collector.collect()
        assert ran.outcome is CollectorOutcome.OK
        assert {metric for _, metric in self.metrics()} <= set(METRICS)
        return ran.detail

    def change(self, command: str, old: str, new: str) -> None:
        assert old in self.host.answers[command]
        self.host.answers[command] = self.host.answers[command].replace(old, new)

    def last(self, kind: type[Kind]) -> Kind:
        return [report for report in self.reports if isinstance(report, kind)][-1]

    def metrics(self) -> dict[tuple[str, str], int | float | str]:
        return {
            (item.subject, item.metric): item.value
            for report in self.reports
            if isinstance(report, MetricReport)
            for item in report.metrics
        }


async def test_linux_host_is_fully_reported() -> None:
    watched = Watched(linux.read, LINUX)
    assert await watched.look() == "", "nothing is left unparsed"
    device = watched.last(DeviceReport)
    assert (device.sys_name, device.sys_descr) == ("gw3", "Linux 6.1.0-18-amd64 x86_64")
    ports = {port.name: port for port in device.ports}
    assert list(ports) == ["p1", "p0", "br0", "tun0"]
    assert (ports["p0"].speed, ports["p1"].speed, ports["p0"].alias) == (10_000_000_000, 0, "to the switch")
    assert (ports["br0"].admin_up, ports["tun0"].oper_up, ports["p0"].if_type) == (False, False, 6)
    assert len(watched.last(RouteReport).routes) == 8
    assert len(watched.last(NeighbourReport).neighbours) == 5
    assert "/usr/sbin/arp -an" not in watched.host.asked
    watched.change("/sbin/ip -s link show", "732      10      0       0       0       0", "900 12 0 1 2 0")
    await watched.look()
    samples = watched.last(PortSamples)
    p0 = samples.ports.index("p0")
    assert (samples.out_octets[p0], samples.out_packets[p0]) == (168, 2)
    assert (samples.out_discards or [])[p0] == 1
    assert watched.metrics()["p0", "linux.carrier_errors"] == 2


async def test_linux_host_without_ip_neighbour_is_read_with_arp() -> None:
    watched = Watched(linux.read, {**LINUX, "/sbin/ip neighbour show": ""})
    await watched.look()
    assert len(watched.last(NeighbourReport).neighbours) == 4


async def test_solaris_host_is_fully_reported() -> None:
    watched = Watched(solaris.read, SOLARIS)
    assert await watched.look() == ""
    ports = {port.name: port for port in watched.last(DeviceReport).ports}
    assert list(ports) == ["nge0", "nge1", "ip.tun0"]
    assert (ports["nge0"].speed, ports["nge0"].oper_up, ports["nge1"].admin_up) == (
        1_000_000_000,
        True,
        False,
    )
    assert len(watched.last(RouteReport).routes) == 7
    assert len(watched.last(NeighbourReport).neighbours) == 3
    kstat = next(command for command in solaris.COMMANDS if "kstat" in command)
    watched.change(kstat, "\t800600", "\t900600")
    watched.change(kstat, "norcvbuf\t3", "norcvbuf\t5")
    await watched.look()
    samples = watched.last(PortSamples)
    assert samples.in_octets == [100_000, 0, NO_VALUE]
    assert (samples.in_discards or [])[0] == 2


async def test_gigarouter_ports_are_down_with_their_card_and_drops_have_reasons() -> None:
    watched = Watched(grf.read, GRF, interval_s=10)
    assert await watched.look() == ""
    ports = {port.name: port for port in watched.last(DeviceReport).ports}
    assert {name: port.oper_up for name, port in ports.items()} == {
        "ga000": True,
        "gt020": True,
        "ge050": False,
        "gh0a0": True,
    }
    assert (ports["gh0a0"].if_type, ports["gh0a0"].speed, ports["ga000"].speed) == (
        47,
        800_000_000,
        155_520_000,
    )
    metrics = watched.metrics()
    assert metrics["card 5 (Ethernet)", "grf.card_state"] == "held-reset"
    assert metrics["card 2 (SP switch)", "grf.card_state"] == "running"
    assert (metrics["ga000", "grf.circuits"], metrics["ga001", "grf.circuits"]) == (2, 1)
    watched.change("grstat all gt020", "           8      10.1.0.23", "          18      10.1.0.23")
    watched.change("grstat -a l2 gt020", "97440000 RX", "97441500 RX")
    watched.change("grstat -a l2 gt020", "6 FIFO", "9 FIFO")
    await watched.look()
    metrics = watched.metrics()
    assert metrics["gt020", "grf.drop_no_route"] == 10
    assert (metrics["gt020", "grf.fifo_full"], metrics["gt020", "grf.drop_ttl"]) == (3, 0)
    samples = watched.last(PortSamples)
    assert samples.in_octets[samples.ports.index("gt020")] == 1500


async def test_name_of_no_port_is_never_part_of_a_command() -> None:
    hostile = "gt020;reboot 10.1.0.9 255.255.255.0\ngt0$(id) 10.1.0.9 255.255.255.0\n"
    answers = {**GRF, "cat /etc/grifconfig.conf": golden("grf/grifconfig.conf") + hostile}
    watched = Watched(grf.read, answers, interval_s=10)
    assert await watched.look() == "2 lines are not known"
    known = {f"{form} {port}" for form in ("grstat all", "grstat -a l2") for port in _PORTS}
    assert set(watched.host.asked) == {*grf.COMMANDS, DATE} | known


_PORTS = ("ga000", "gt020", "ge050", "gh0a0")


async def test_grstat_output_of_another_port_is_ignored() -> None:
    watched = Watched(grf.read, {**GRF, "grstat -a l2 ga000": golden("grf/grstat-l2.txt")}, interval_s=10)
    assert await watched.look() == "1 lines are not known"
    await watched.look()
    samples = watched.last(PortSamples)
    assert samples.in_octets[samples.ports.index("ga000")] == NO_VALUE


async def test_octets_that_may_wrap_twice_per_interval_are_refused_with_the_reason() -> None:
    watched = Watched(grf.read, GRF, interval_s=30)
    assert await watched.look() == "octets need a look more often than each 30 s: gt020, gh0a0"
    watched.change("grstat -a l2 gt020", "81200 RX", "81300 RX")
    await watched.look()
    samples = watched.last(PortSamples)
    gt020 = samples.ports.index("gt020")
    assert (samples.in_octets[gt020], samples.in_packets[gt020]) == (NO_VALUE, 100)


async def test_vyos_ports_traffic_and_bgp_sessions_are_reported() -> None:
    watched = Watched(vyos.read, VYOS)
    assert await watched.look() == ""
    device = watched.last(DeviceReport)
    ports = {port.name: port for port in device.ports}
    assert list(ports) == ["eth0", "eth1", "eth1.204", "vtun0"]
    assert (ports["eth0"].mac, ports["eth0"].alias, ports["eth0"].mtu) == (
        "02:53:00:00:00:10",
        "UPLINK to the campus",
        1500,
    )
    assert (ports["eth1"].oper_up, ports["eth1.204"].admin_up) == (False, False)
    assert (ports["eth0"].index, ports["vtun0"].index) == (2, 0), "0: the kernel does not know it"
    assert len(watched.last(NeighbourReport).neighbours) == 3
    daemon = watched.last(DaemonReport)
    assert (daemon.daemon, daemon.running) == ("bgp", True)
    assert [(peer.name, peer.state) for peer in daemon.protocols][:2] == [
        ("192.0.2.1", "Established"),
        ("192.0.2.9", "Idle (Admin)"),
    ]
    assert watched.metrics()["192.0.2.1", "bgp.prefixes"] == 44
    watched.change("/sbin/ip -s link show", "700800", "700900")
    watched.change(f"{SHOW} ip bgp summary", "5d13h10m           44", "5d13h11m           44")
    await watched.look()
    assert watched.last(PortSamples).in_octets[0] == 100
    assert not any(isinstance(report, DaemonReport) for report in watched.reports), "time alone is no news"


async def test_router_without_bgp_reports_no_daemon() -> None:
    watched = Watched(vyos.read, {**VYOS, f"{SHOW} ip bgp summary": "% BGP instance not found\n"})
    assert await watched.look() == ""
    assert not watched.last(DaemonReport).running


@pytest.mark.parametrize(
    ("read", "answers", "commands"),
    [
        (linux.read, LINUX, linux.COMMANDS),
        (solaris.read, SOLARIS, solaris.COMMANDS),
        (vyos.read, VYOS, vyos.COMMANDS),
    ],
    ids=["linux", "solaris", "vyos"],
)
async def test_only_fixed_commands_are_run(
    read: Read, answers: dict[str, str], commands: tuple[str, ...]
) -> None:
    watched = Watched(read, answers)
    await watched.look()
    assert set(watched.host.asked) <= {*commands, DATE}


def test_every_ssh_system_has_a_reader() -> None:
    assert set(READS) == set(get_args(SshSource.model_fields["system"].annotation))


async def test_clock_of_a_router_is_its_date_with_the_resolution_as_error() -> None:
    watched = Watched(grf.read, GRF)
    await watched.look()
    report = watched.last(DeviceReport)
    assert report.clock == 905_693_820_500_000_000  # the middle of 13 September 1998, 13:37:00
    assert (report.clock_source, report.clock_error) == ("date", 500_000_000)


async def test_clock_that_was_set_is_reported_at_the_next_read_and_a_running_one_is_not() -> None:
    watched = Watched(grf.read, GRF)
    await watched.look()
    watched.change(DATE, "13:37:00", "13:37:30")
    await watched.look()
    assert not any(isinstance(report, DeviceReport) for report in watched.reports)
    watched.change(DATE, "1998-09", "1998-08")
    watched.clock.advance(-25)
    await watched.look()
    assert watched.last(DeviceReport).clock == 903_015_450_500_000_000


async def test_host_without_gnu_date_has_no_clock() -> None:
    watched = Watched(linux.read, LINUX)
    await watched.look()
    assert watched.last(DeviceReport).clock is None
