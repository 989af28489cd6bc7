"""A host's adapters, from a tree like /sys/class/infiniband."""

import asyncio
from pathlib import Path
from uuid import UUID

import pytest

from backstay_agent.collectors.infiniband.host import InfinibandHost
from backstay_agent.host.infiniband import adapter_ports
from backstay_agent.report_sink import BuildReport
from backstay_testing.clock import ManualClock
from backstay_wire import (
    METRICS,
    CollectorOutcome,
    DeltaOutcome,
    DeviceReport,
    MetricReport,
    PortSamples,
    Report,
)

COUNTERS = {
    "port_rcv_data": 1000,
    "port_xmit_data": 2000,
    "port_rcv_packets": 10,
    "port_xmit_packets": 20,
    "unicast_rcv_packets": 10,
    "multicast_rcv_packets": 4,
    "symbol_error": 65530,
    "link_downed": 0,
    "port_xmit_wait": 0,
}


class Tree:
    """An adapter mlx5_0 with one EDR port, and one whose link is down."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.port(1, "4: ACTIVE", "5: LinkUp", "100 Gb/sec (4X EDR)")
        self.port(2, "1: DOWN", "3: Disabled", "10 Gb/sec (4X SDR)")
        for name, value in COUNTERS.items():
            self.put(f"counters/{name}", str(value))
        self.put("counters/VL15_dropped", "N/A (no PMA)")
        self.put("hw_counters/out_of_sequence", "7")
        self.put("hw_counters/lifespan", "12")
        self.put("hw_counters/a_driver_of_tomorrow", "3")

    def port(self, number: int, state: str, physical: str, rate: str) -> None:
        for name, value in (("state", state), ("phys_state", physical), ("rate", rate)):
            self.put(name, value, number)
        self.put("link_layer", "InfiniBand", number)
        self.put("gids/0", "fe80:0000:0000:0000:0002:c903:0000:0001", number)

    def put(self, name: str, value: str, number: int = 1) -> None:
        path = self.root / "mlx5_0" / "ports" / str(number) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value + "\n")


class Stage:
    def __init__(self, root: Path) -> None:
        self.clock = ManualClock()
        self.reports: list[Report] = []
        self.collector = InfinibandHost(
            device="n1",
            interval_s=2,
            read=lambda: adapter_ports(root),
            clock=self.clock,
            emit=self._emit,
        )

    def _emit(self, build: BuildReport, *, urgent: bool = False, can_wait: bool = False) -> None:
        self.reports.append(build(UUID(int=1), len(self.reports) + 1))

    def collect(self) -> CollectorOutcome:
        self.clock.advance(2)
        self.reports.clear()
        return asyncio.run(self.collector.collect()).outcome


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


def metrics(stage: Stage) -> dict[str, tuple[object, DeltaOutcome]]:
    (report,) = [report for report in stage.reports if isinstance(report, MetricReport)]
    return {f.metric: (f.value, f.outcome) for f in report.metrics if f.subject == "mlx5_0/1"}


def test_port_descriptions_match_sysfs(tree: Tree) -> None:
    stage = Stage(tree.root)
    stage.collect()
    (report,) = stage.reports
    assert isinstance(report, DeviceReport)
    up, down = report.ports
    assert (up.name, up.if_type, up.speed, up.oper_up) == ("mlx5_0/1", 199, 100_000_000_000, True)
    assert up.mac == "00:02:c9:03:00:00:00:01"
    assert (down.name, down.speed, down.admin_up, down.oper_up) == ("mlx5_0/2", 0, False, False)


def test_counters_grow_and_data_is_counted_in_words(tree: Tree) -> None:
    stage = Stage(tree.root)
    stage.collect()
    tree.put("counters/port_rcv_data", "251000")
    tree.put("counters/port_rcv_packets", "500")
    tree.put("counters/multicast_rcv_packets", "9")
    tree.put("hw_counters/out_of_sequence", "9")
    stage.collect()
    (samples,) = [report for report in stage.reports if isinstance(report, PortSamples)]
    assert samples.in_octets[0] == 1_000_000
    assert samples.in_packets[0] == 490
    found = metrics(stage)
    assert found["ib.multicast_in"] == (5, DeltaOutcome.OK)
    assert found["ib.hw_out_of_sequence"] == (2, DeltaOutcome.OK)
    assert found.keys() <= METRICS.keys()


def test_counter_at_its_maximum_is_saturated_and_settings_are_not_counters(tree: Tree) -> None:
    stage = Stage(tree.root)
    stage.collect()
    tree.put("counters/symbol_error", "65535")
    stage.collect()
    found = metrics(stage)
    assert found["ib.symbol_errors"] == (65535, DeltaOutcome.SATURATED)
    assert not [metric for metric in found if "lifespan" in metric or "tomorrow" in metric]


def test_changed_port_is_reported_at_once_and_unchanged_one_is_not_repeated(tree: Tree) -> None:
    stage = Stage(tree.root)
    stage.collect()
    stage.collect()
    assert not [report for report in stage.reports if isinstance(report, DeviceReport)]
    tree.put("state", "1: DOWN")
    stage.collect()
    (report,) = [report for report in stage.reports if isinstance(report, DeviceReport)]
    assert not report.ports[0].oper_up


def test_host_without_adapter_has_no_data(tmp_path: Path) -> None:
    stage = Stage(tmp_path / "infiniband")
    assert stage.collect() is CollectorOutcome.NO_DATA
    assert stage.reports == []
