"""Collectors of programs that a Linux host may have, and counters of kernels without RTM_GETSTATS."""

import errno
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from backstay_agent.collectors.base import UnusableError
from backstay_agent.collectors.linux.ethtool import LinuxEthtool
from backstay_agent.collectors.linux.lldp import LinuxLldp
from backstay_agent.host.daemon_control.lldp import LldpGoneError
from backstay_agent.host.kernel import port_statistics
from backstay_agent.host.kernel.ethtool import NoStatisticsError, mlx5_ports
from backstay_agent.host.kernel.netlink import DumpTable, Netlink, NetlinkError
from backstay_testing.clock import ManualClock
from backstay_testing.report_list import ReportList
from backstay_wire import AdjacencyReport, CollectorOutcome, MetricReport
from backstay_wire.metrics import METRICS

pytestmark = pytest.mark.anyio
GOLDEN = Path(__file__).parents[1] / "golden" / "linux"


async def test_neighbours_of_lldpd_are_reported() -> None:
    async def read() -> str:
        return (GOLDEN / "lldpctl.json").read_text()

    reports = ReportList()
    collector = LinuxLldp(device="gw1", interval_s=2, read=read, clock=ManualClock(), emit=reports)
    assert (await collector.collect()).outcome is CollectorOutcome.OK
    (report,) = [one for one in reports if isinstance(one, AdjacencyReport)]
    assert (report.device, report.source, report.adjacencies[0].peer_name) == ("gw1", "lldp", "edge1")
    assert collector.interval_s == 60


async def test_host_whose_lldpd_does_not_run_has_no_data() -> None:
    async def read() -> str:
        raise LldpGoneError("unable to connect to socket")

    collector = LinuxLldp(device="gw1", interval_s=2, read=read, clock=ManualClock(), emit=ReportList())
    ran = await collector.collect()
    assert (ran.outcome, "unable to connect" in ran.detail) == (CollectorOutcome.NO_DATA, True)


async def test_port_without_statistics_does_not_discard_the_others() -> None:
    output = (GOLDEN / "ethtool-S.txt").read_text()

    async def read(port: str) -> str:
        if port == "p1":
            raise NoStatisticsError("no such device")
        return output

    reports, clock = ReportList(), ManualClock()
    collector = LinuxEthtool(
        device="gw1", interval_s=2, ports=lambda: ["p0", "p1"], read=read, clock=clock, emit=reports
    )
    await collector.collect()
    output = output.replace("rx_out_of_buffer: 1718", "rx_out_of_buffer: 1730")
    clock.advance(30)
    ran = await collector.collect()
    (report,) = [one for one in reports if isinstance(one, MetricReport)]
    grown = {(one.subject, one.metric): one.value for one in report.metrics}
    assert (grown["p0", "ethtool.out_of_buffer"], grown["p0", "ethtool.crc_errors"]) == (12, 0)
    assert {metric for _, metric in grown} <= set(METRICS)
    assert (ran.outcome, "p1: no such device" in ran.detail) == (CollectorOutcome.OK, True)


async def test_adapters_that_all_refuse_are_unusable() -> None:
    async def read(port: str) -> str:
        raise NoStatisticsError(f"{port} has none")

    collector = LinuxEthtool(
        device="gw1", interval_s=2, ports=lambda: ["p0"], read=read, clock=ManualClock(), emit=ReportList()
    )
    with pytest.raises(UnusableError, match="p0 has none"):
        await collector.collect()


def test_only_ports_of_the_driver_mlx5_are_asked(tmp_path: Path) -> None:
    for name, driver in (("p0", "mlx5_core"), ("p1", "ixgbe")):
        (tmp_path / "drivers" / driver).mkdir(parents=True)
        (tmp_path / "net" / name / "device").mkdir(parents=True)
        (tmp_path / "net" / name / "device" / "driver").symlink_to(tmp_path / "drivers" / driver)
    (tmp_path / "net" / "lo").mkdir()
    assert mlx5_ports(tmp_path / "net") == ["p0"]
    assert mlx5_ports(tmp_path / "absent") == []


def test_sysfs_has_the_counters_of_netlink_for_ports_of_this_namespace() -> None:
    netlink = Netlink()
    try:
        found = {index: values for index, values in netlink.counters().items() if values[0]}
    finally:
        netlink.close()
    files = port_statistics.port_counters()
    assert found
    names = dict(socket.if_nameindex())
    for index, before in found.items():
        assert all(now >= then for now, then in zip(files[index], before, strict=True)), names[index]


def test_port_of_another_namespace_is_left_out(tmp_path: Path) -> None:
    for name, index in (("p0", 2), ("p1", 9), ("p2", 4)):
        (tmp_path / name / "statistics").mkdir(parents=True)
        (tmp_path / name / "ifindex").write_text(f"{index}\n")
        for place, file in enumerate(port_statistics._FILES):
            (tmp_path / name / "statistics" / file).write_text(f"{index * 10 + place}\n")
    (tmp_path / "p2" / "statistics" / "rx_errors").unlink()
    found = port_statistics.port_counters(tmp_path, lambda name: {"p0": 2, "p1": 3, "p2": 4}[name])
    assert found == {2: (20, 21, 22, 23, 24, 25, 26, 27)}


def test_kernel_without_statistics_messages_is_read_by_sysfs(monkeypatch: pytest.MonkeyPatch) -> None:
    """As Linux 3.10 (CentOS 7) answers RTM_GETSTATS."""
    netlink, asked = Netlink(), []

    def refused(table: DumpTable) -> Iterator[bytes]:
        asked.append(table)
        raise NetlinkError(errno.EOPNOTSUPP, "EOPNOTSUPP")

    monkeypatch.setattr(netlink._counters, "answers", refused)
    monkeypatch.setattr(port_statistics, "port_counters", lambda: {2: (1, 2, 3, 4, 5, 6, 7, 8)})
    try:
        assert [netlink.counters() for _ in range(3)] == [{2: (1, 2, 3, 4, 5, 6, 7, 8)}] * 3
    finally:
        netlink.close()
    assert asked == [DumpTable.STATS]
