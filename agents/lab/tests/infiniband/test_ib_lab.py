"""The running site karlsruhe: ibsim, OpenSM, a real agent on its management host, and its reports.

The agent's reports are compared with the output of infiniband-diags for the same fabric.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from backstay_lab.infiniband.service import PACKAGES
from backstay_testing.sink import Sink
from backstay_wire import (
    AdjacencyReport,
    CollectorReport,
    DeltaOutcome,
    Desired,
    DeviceReport,
    ExpectedCable,
    InfinibandSource,
    MetricReport,
    PortSamples,
)

pytestmark = pytest.mark.netns
MISSING = sorted({package for program, package in PACKAGES.items() if shutil.which(program) is None})
SITE, HOST, SWITCH = "karlsruhe", "mgmt1", "ib-sw1"
PATIENCE_S = 40.0


class Fabric:
    """The running site, and the backend of its agent."""

    def __init__(self, lab: Any, sink: Sink) -> None:
        self.lab = lab
        self.sink = sink

    def of(self, kind: str, device: str) -> list[Any]:
        return [report for report in self.sink.reports(kind) if report.device == device]

    def wait(self, what: str, happened: Callable[[], Any]) -> Any:
        deadline = time.monotonic() + PATIENCE_S
        while not (found := happened()):
            assert time.monotonic() < deadline, f"{what} did not happen"
            time.sleep(0.1)
        return found

    def tool(self, *argv: str) -> str:
        return str(self.lab.do("exec", HOST, "--", *argv))


@pytest.fixture(scope="module")
def fabric(namespaces_work: None, lab_type: type) -> Iterator[Fabric]:
    if MISSING:
        pytest.skip(f"not installed: {', '.join(MISSING)}")
    folder = Path(tempfile.mkdtemp(prefix="bsib"))
    lab = lab_type(folder / "lab")
    sink = Sink(desired=Desired(generation=1, site=SITE, node=HOST, sources=[], paths=[])).start()
    file = folder / "site.yaml"
    agent = None
    try:
        lab.do("up", SITE, "--nodes", "3", "--backend-port", str(sink.port), "--site-file", str(file))
        sink.desired = desired(yaml.safe_load(file.read_text()))
        agent = lab.start("exec", HOST, "--", *agent_command(folder / "agent", sink))
        yield Fabric(lab, sink)
    finally:
        if agent is not None:
            agent.terminate()
            agent.communicate(timeout=10)
        lab.do("down", SITE)
        sink.stop()
        shutil.rmtree(folder)


def agent_command(state: Path, sink: Sink) -> list[str]:
    to = ["--backend", "http://10.255.0.1:8000", "--token", sink.token]
    return [sys.executable, "-m", "backstay_agent.cli", "run", "--state", str(state), *to]


def desired(site: dict[str, Any]) -> Desired:
    """The desired state of the management host according to the site file."""
    devices = {node["guid"]: node["name"] for node in site["nodes"] if "guid" in node}
    ends = [(*link["a"].split(":"), *link["b"].split(":")) for link in site["links"]]
    cables = [ExpectedCable(node=a, port=b, peer=c, peer_port=d) for a, b, c, d in ends]
    source = InfinibandSource(device=HOST, interval_s=1, fabric="infiniband", devices=devices, cables=cables)
    return Desired(generation=1, site=SITE, node=HOST, sources=[source], paths=[])


def test_every_device_and_cable_of_the_site_file_is_found(fabric: Fabric) -> None:
    fabric.wait("a description of the switch", lambda: fabric.of("device", SWITCH))
    switch: DeviceReport = fabric.of("device", SWITCH)[-1]
    assert [port.name for port in switch.ports if port.oper_up] == ["1", "2", "3", "4", "5"]
    assert {port.speed for port in switch.ports if port.oper_up} == {10_000_000_000}
    cables: AdjacencyReport = fabric.wait("neighbours", lambda: fabric.of("adjacencies", SWITCH))[-1]
    peers = [adjacency.peer for adjacency in cables.adjacencies]
    assert peers == ["fzk-login", "fzk01", "fzk02", "fzk03", "opteron1"]


def test_reported_growth_equals_the_counters_growth(fabric: Fabric) -> None:
    """The opteron's port, which carries only flows and a few management packets."""

    def received() -> int:
        output = fabric.tool("perfquery", "-x", "-G", "0x" + guid, "1")
        return 4 * int(re.findall(r"^PortXmitData:\.*(\d+)$", output, re.MULTILINE)[0])

    switch = fabric.tool("ibnetdiscover")
    guid = re.findall(r'\[1\]\(([0-9a-f]+)\) \t\t# "opteron1', switch)[0]
    fabric.wait("two samples", lambda: len(fabric.of("ports", "opteron1")) >= 2)
    first, began = received(), time.time_ns()
    time.sleep(4)
    last, ended = received(), time.time_ns()
    fabric.wait("later samples", lambda: fabric.of("ports", "opteron1")[-1].at > ended)
    samples: list[PortSamples] = fabric.of("ports", "opteron1")
    reported = sum(sample.out_octets[0] for sample in samples)
    span = sum(sample.duration_ns for sample in samples)
    assert all(sample.outcome is None for sample in samples)
    assert reported / span == pytest.approx((last - first) / (ended - began), rel=0.35)


def test_cut_host_leaves_the_fabric_and_returns(fabric: Fabric) -> None:
    fabric.wait("samples", lambda: fabric.of("ports", "fzk02"))
    fabric.lab.do("cut", "fzk02")

    def last(device: str) -> DeviceReport:
        report: DeviceReport = fabric.of("device", device)[-1]
        return report

    fabric.wait("the host's port going down", lambda: not last("fzk02").ports[0].oper_up)
    fabric.wait("the switch's port going down", lambda: not last(SWITCH).ports[2].oper_up)
    fabric.wait("a lost link", lambda: ("3", "ib.link_downed", 1) in grown(fabric.of("metrics", SWITCH)))

    def detail() -> str:
        reports: list[CollectorReport] = fabric.of("collector", HOST)
        return [report.detail for report in reports if report.collector == "infiniband"][-1]

    fabric.wait("a word about it", lambda: "fzk02:mthca0/1 to ib-sw1:3 is missing" in detail())
    fabric.lab.do("restore", "fzk02")
    fabric.wait("the host's return", lambda: last("fzk02").ports[0].oper_up)
    fabric.wait("quiet", lambda: not detail())


def grown(reports: list[MetricReport]) -> set[tuple[str, str, Any]]:
    return {
        (figure.subject, figure.metric, figure.value)
        for report in reports
        for figure in report.metrics
        if figure.outcome is DeltaOutcome.OK
    }


def test_unsupported_fault_is_refused(fabric: Fabric) -> None:
    done: subprocess.CompletedProcess[str] = fabric.lab.run("blackhole", "fzk01")
    assert done.returncode == 1
    assert "cut, silence" in done.stderr
