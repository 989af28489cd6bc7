"""The flood command: frames, their sender, and a real collector that observes the filling table."""

from __future__ import annotations

import asyncio
import itertools
import subprocess
import sys
import time
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any

import pytest

from backstay_agent.collectors.linux.neighbours import LinuxNeighbours
from backstay_agent.collectors.linux.state import KernelState
from backstay_agent.host.clock import HostClock
from backstay_agent.host.kernel.neighbour_tables import NeighbourTables
from backstay_agent.host.kernel.netlink import EventSocket, Netlink
from backstay_lab.blueprint import Blueprint, End
from backstay_lab.errors import LabError
from backstay_lab.neighbour_flood import frames, source_of
from backstay_testing.namespaces import Namespace, run_in
from backstay_testing.report_list import ReportList
from backstay_wire import MetricReport

MAC = bytes.fromhex("020000000001")
GH010 = End("grf1", "gh010")


def test_each_frame_broadcasts_a_request_from_another_sender_address() -> None:
    made = list(itertools.islice(frames(MAC, IPv4Address("10.2.0.1"), disguised=False), 3))
    assert {frame[:14] for frame in made} == {b"\xff" * 6 + MAC + b"\x08\x06"}
    assert {frame[22:28] for frame in made} == {MAC}
    assert {frame[38:42] for frame in made} == {IPv4Address("10.2.0.1").packed}
    assert [str(IPv4Address(frame[28:32])) for frame in made] == ["198.18.0.1", "198.18.0.2", "198.18.0.3"]


def test_disguised_flood_changes_its_hardware_address_each_time() -> None:
    made = list(itertools.islice(frames(MAC, IPv4Address("10.2.0.1"), disguised=True), 300))
    assert len({frame[6:12] for frame in made}) == 300
    assert all(frame[6] & 3 == 2 and frame[6:12] == frame[22:28] for frame in made)


def test_port_is_flooded_by_the_other_end_of_its_link(argonne: Blueprint) -> None:
    assert source_of(argonne, GH010) == End("onyx1", "hip0")
    assert source_of(argonne, End("onyx1", "hip0")) == GH010


def test_source_on_a_shared_fabric_may_be_named(argonne: Blueprint) -> None:
    assert source_of(argonne, End("grf1", "gt000")) == End("sp01", "css0")
    assert source_of(argonne, End("grf1", "gt000"), "sp03") == End("sp03", "css0")
    with pytest.raises(LabError, match=r"onyx1 shares sp-switch.*sp01, sp02, sp03, atmgw"):
        source_of(argonne, End("grf1", "gt000"), "onyx1")
    with pytest.raises(LabError, match=r"no port gx9.*gt000, gh010"):
        source_of(argonne, End("grf1", "gx9"))


class Reports(ReportList):
    def newest(self, port: str) -> dict[str, float | str]:
        """The port's latest metrics."""
        reported = [report for report in self if isinstance(report, MetricReport)][-1].metrics
        return {figure.metric: figure.value for figure in reported if figure.subject == port}


async def watch(reports: Reports, flood: subprocess.Popen[str]) -> None:
    """The collector of every agent, in the namespace of the calling thread, during the flood."""
    clock = HostClock()
    kernel = KernelState(Netlink(), EventSocket, lambda _: 0, clock)
    collector = LinuxNeighbours(
        device="grf1", interval_s=0.5, tables=NeighbourTables(), kernel=kernel, clock=clock, emit=reports
    )
    await collector.start()
    deadline = time.monotonic() + 60
    while flood.poll() is None:
        assert time.monotonic() < deadline
        await collector.collect()
        await asyncio.sleep(0.5)
    await collector.stop()
    await kernel.stop()


@pytest.mark.netns
def test_collector_reports_the_filling_table_and_the_source_of_broadcasts(
    argonne_lab: Any,
) -> None:
    prefix = argonne_lab.entering("grf1")
    if prefix[0] != "ip":
        pytest.skip("enters namespaces as root")
    reports = Reports()
    mac = argonne_lab.inside("onyx1", "cat", "/sys/class/net/hip0/address").strip()
    sleeper = subprocess.Popen([*prefix, sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    flood = argonne_lab.start("flood", "grf1", "gh010", "--rate", "60", "--seconds", "3")
    try:
        until_inside(sleeper.pid, argonne_lab)
        run_in(Namespace(sleeper.pid), lambda: asyncio.run(watch(reports, flood)))
        output, _ = flood.communicate(timeout=60)
    finally:
        flood.kill()
        sleeper.kill()
        sleeper.communicate()
    assert "onyx1:hip0 sent 1" in output
    reported = reports.newest("gh010")
    assert 100 <= float(reported["neigh.ipv4_entries"]) <= 200
    assert reported["neigh.top_mac"] == mac
    assert reports.newest("")["neigh.ipv4_capacity"] >= 128  # type: ignore[operator]
    grown = [
        (figure.value, talker)
        for report in reports
        if isinstance(report, MetricReport)
        for figure in report.metrics
        if (figure.subject, figure.metric) == ("gh010", "neigh.arp_broadcasts")
        for talker in (
            figure.value for figure in report.metrics if figure.metric == "neigh.talker" and figure.value
        )
    ]
    assert sum(int(value) for value, _ in grown) >= 100
    assert {talker for _, talker in grown} == {mac}
    assert float(reports.newest("gt000")["neigh.ipv4_entries"]) < 20
    argonne_lab.inside("grf1", "ip", "neighbour", "flush", "dev", "gh010")


def until_inside(pid: int, lab: Any) -> None:
    """Wait until the process is in grf1's namespace."""
    wanted = lab.inside("grf1", "readlink", "/proc/self/ns/net").strip()
    deadline = time.monotonic() + 5
    while str(Path(f"/proc/{pid}/ns/net").readlink()) != wanted:
        assert time.monotonic() < deadline
        time.sleep(0.02)
