"""The fabric sweep over captured output: reports per device, and the cost of a hanging node."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import pytest

from backstay_agent.collectors.base import NoAnswerError, Ran, UnusableError
from backstay_agent.collectors.infiniband.collector import InfinibandCollector
from backstay_agent.collectors.infiniband.sweeper import FabricSweeper
from backstay_agent.host.infiniband import Output, ToolMissingError
from backstay_agent.report_sink import BuildReport
from backstay_testing.clock import ManualClock
from backstay_wire import (
    AdjacencyReport,
    DeltaOutcome,
    DeviceReport,
    ExpectedCable,
    InfinibandSource,
    MetricReport,
    PortSamples,
    Report,
)

GOLDEN = Path(__file__).parents[1] / "golden" / "ib"
BOOT = UUID(int=1)
SWITCH, LOGIN, HOST1, HOST2 = (f"0x0002c902000000{n}0" for n in ("1", "2", "3", "4"))
DEVICES = {SWITCH: "sw1", LOGIN: "login", HOST1: "fzk01", HOST2: "fzk02"}
"""fzk02 was cut off when the fabric was captured; two of its hosts are nobody's we know."""


class FakeTools:
    """Simulates the tools: their output, and the duration of an unanswered query."""

    def __init__(self, clock: ManualClock) -> None:
        self.clock = clock
        self.output = {
            "ibnetdiscover": self.captured("ibnetdiscover"),
            "iblinkinfo": self.captured("iblinkinfo"),
            "--counters": self.captured("ibqueryerrors-data"),
            "--details": self.captured("ibqueryerrors-errors"),
            "sminfo": self.captured("sminfo"),
        }
        self.calls: list[tuple[str, ...]] = []
        self.mute: dict[str, int] = {}
        """GUID -> queries to it that one run makes in vain."""
        self.missing = False
        self.hangs: set[str] = set()
        self.at_discovery: Callable[[], None] = lambda: None

    @staticmethod
    def captured(name: str) -> list[str]:
        return (GOLDEN / f"{name}.txt").read_text().split("\n")

    def write(self, name: str, content: str) -> None:
        self.names = content

    def close(self) -> None:
        self.closed = True

    async def run(
        self,
        program: str,
        *arguments: str,
        limit_s: float,
        stop_at: Callable[[str], bool] | None = None,
        feed: Callable[[list[str]], None] | None = None,
    ) -> Output:
        if self.missing:
            raise ToolMissingError(f"{program} is not installed")
        self.calls.append((program, *arguments))
        key = arguments[-1] if program == "ibqueryerrors" else program
        if key in self.hangs:
            self.clock.advance(limit_s)
            return Output([], [], -9, True)
        if key == "ibnetdiscover":
            self.at_discovery()
        errors = []
        if key == "--counters":
            tried_ms = 3 * int(arguments[arguments.index("-t") + 1])
            for guid, queries in self.mute.items():
                for _ in range(queries):
                    self.clock.advance(tried_ms / 1000)
                    errors.append(
                        f"ibwarn: [1] print_data_cnts: PORT_COUNTERS query failed on {guid}, Lid 2 port 1"
                    )
                    if stop_at is not None and stop_at(errors[-1]):
                        return Output([], errors, -9, True)
        if feed is not None:
            feed(self.output[key])
            return Output([], errors, 0, False)
        return Output(self.output[key], errors, 0, False)

    def grow(self, guid: str, port: int, tokens: int) -> None:
        """Add received words to that port, in packets of 512 words."""
        head = f"   GUID 0x{int(guid, 16):x} port {port}: "
        place = next(n for n, line in enumerate(self.output["--counters"]) if line.startswith(head))
        items = self.output["--counters"][place][len(head) + 1 : -1].split("] [")
        for n, item in enumerate(items):
            name, _, value = item.partition(" == ")
            more = {"PortRcvData": tokens, "PortRcvPkts": tokens // 512}.get(name, 0)
            items[n] = f"{name} == {int(value.split()[0]) + more} (x)"
        self.output["--counters"][place] = head + "[" + "] [".join(items) + "]"


class Stage:
    """A collector over fake tools."""

    def __init__(self, cables: list[ExpectedCable] | None = None) -> None:
        self.clock = ManualClock()
        self.tools = FakeTools(self.clock)
        self.reports: list[Report] = []
        source = InfinibandSource(
            device="mgmt1", interval_s=2, fabric="ib", devices=DEVICES, cables=cables or []
        )
        sweeper = FabricSweeper(self.tools, self.clock)
        self.collector = InfinibandCollector(
            source=source, sweeper=sweeper, clock=self.clock, emit=self._emit
        )

    def _emit(self, build: BuildReport, *, urgent: bool = False, can_wait: bool = False) -> None:
        self.reports.append(build(BOOT, len(self.reports) + 1))

    def sweep(self, after_s: float = 2.0) -> Ran:
        self.clock.advance(after_s)
        self.reports.clear()
        return asyncio.run(self.collector.collect())

    def of(self, kind: type, device: str) -> list[Report]:
        return [report for report in self.reports if isinstance(report, kind) and report.device == device]

    def metrics(self, device: str) -> dict[tuple[str, str], tuple[object, DeltaOutcome]]:
        return {
            (item.subject, item.metric): (item.value, item.outcome)
            for report in self.of(MetricReport, device)
            if isinstance(report, MetricReport)
            for item in report.metrics
        }


@pytest.fixture
def stage() -> Stage:
    return Stage()


def test_first_sweep_reports_devices_and_second_reports_traffic(stage: Stage) -> None:
    stage.sweep()
    (device,) = stage.of(DeviceReport, "sw1")
    assert isinstance(device, DeviceReport)
    assert [port.name for port in device.ports] == [str(number) for number in range(1, 17)]
    assert {(port.if_type, port.speed) for port in device.ports if port.oper_up} == {(199, 10_000_000_000)}
    assert next(port.name for port in device.ports if not port.oper_up) == "3"
    assert not stage.of(PortSamples, "sw1")
    stage.tools.grow(HOST1, 1, 250_000)
    stage.sweep()
    (samples,) = stage.of(PortSamples, "fzk01")
    assert isinstance(samples, PortSamples)
    assert (samples.ports, samples.in_octets, samples.in_packets) == (["mthca0/1"], [1_000_000], [488])
    assert samples.duration_ns == 2_000_000_000


def test_neighbours_have_guids_and_unknown_ones_no_name(stage: Stage) -> None:
    stage.sweep()
    (report,) = stage.of(AdjacencyReport, "sw1")
    assert isinstance(report, AdjacencyReport)
    known = {
        adjacency.port: (adjacency.peer, adjacency.peer_port, adjacency.peer_id)
        for adjacency in report.adjacencies
    }
    assert known["2"] == ("fzk01", "mthca0/1", HOST1)
    assert known["4"] == ("", "mthca0/1", "0x0002c90200000050")
    assert report.adjacencies[0].width == "4X 2.5 Gbps"


def test_only_mapped_devices_are_reported(stage: Stage) -> None:
    stage.sweep()
    assert {report.device for report in stage.reports} <= {"mgmt1", *DEVICES.values()}


def test_device_missing_from_the_fabric_is_reported_by_name(stage: Stage) -> None:
    ran = stage.sweep()
    assert "not in the fabric: fzk02" in ran.detail
    assert stage.metrics("fzk02") == {("", "ib.presence"): ("absent", DeltaOutcome.OK)}
    assert stage.metrics("mgmt1")["ib", "ib.absent"] == (1, DeltaOutcome.OK)


def test_ports_of_a_device_that_left_are_down(stage: Stage) -> None:
    stage.sweep()
    listing = stage.tools.output["ibnetdiscover"]
    start = next(n for n, line in enumerate(listing) if line.startswith("Ca") and "fzk01" in line)
    del listing[start : start + 2]
    stage.sweep(after_s=61)
    (device,) = stage.of(DeviceReport, "fzk01")
    assert isinstance(device, DeviceReport)
    assert [port.oper_up for port in device.ports] == [False]
    assert stage.metrics("fzk01")["", "ib.presence"][0] == "absent"


def test_errors_are_metrics_and_unchanged_devices_are_not_repeated(stage: Stage) -> None:
    stage.sweep()
    stage.tools.output["--details"] = [
        line.replace("LinkDownedCounter == 1]", "LinkDownedCounter == 1] [SymbolErrorCounter == 9]")
        for line in stage.tools.output["--details"]
    ]
    stage.sweep()
    assert stage.metrics("sw1")["3", "ib.symbol_errors"] == (9, DeltaOutcome.OK)
    assert stage.metrics("sw1")["3", "ib.link_downed"] == (0, DeltaOutcome.OK)
    assert not stage.of(MetricReport, "fzk01")
    assert not stage.of(DeviceReport, "sw1")


def test_no_tool_run_clears_counters(stage: Stage) -> None:
    stage.sweep()
    stage.sweep()
    used = {argument for call in stage.tools.calls for argument in call}
    assert not used & {"-k", "-K", "--clear-errors", "--clear-counts", "-R"}
    assert [call[0] for call in stage.tools.calls].count("ibqueryerrors") == 4
    assert [call[0] for call in stage.tools.calls].count("ibnetdiscover") == 1


def test_hanging_switch_costs_under_two_seconds_and_no_other_device(stage: Stage) -> None:
    stage.sweep()
    began = stage.clock.now_ns + 2_000_000_000
    stage.tools.mute[SWITCH] = 37
    ran = stage.sweep()
    assert (stage.clock.now_ns - began) / 1e9 < 2
    assert "counters not given by: sw1" in ran.detail
    assert stage.metrics("sw1")["", "ib.presence"][0] == "silent"
    assert stage.of(PortSamples, "fzk01")
    began = stage.clock.now_ns + 2_000_000_000
    stage.sweep()
    assert (stage.clock.now_ns - began) / 1e9 < 2
    stage.tools.mute.clear()
    stage.sweep()
    (samples,) = stage.of(PortSamples, "sw1")
    assert isinstance(samples, PortSamples)
    assert set(samples.outcome or []) == {DeltaOutcome.GAP}


def test_port_with_new_counters_is_discovered_in_the_same_sweep(stage: Stage) -> None:
    stage.sweep()
    stage.sweep()
    stage.tools.grow(SWITCH, 16, 5120)
    moved: list[bool] = []
    stage.tools.at_discovery = lambda: moved.append(True)
    stage.sweep()
    assert moved == [True]


def test_fabric_without_a_subnet_manager_is_reported(stage: Stage) -> None:
    stage.tools.output["sminfo"] = [""]
    assert "no subnet manager answers" in stage.sweep().detail
    assert stage.metrics("mgmt1")["ib", "ib.sm_state"][0] == "none"


def test_cables_are_compared_with_the_list() -> None:
    wrong = ExpectedCable(node="fzk01", port="mthca0/1", peer="sw1", peer_port="9")
    stage = Stage(cables=[wrong])
    assert "fzk01:mthca0/1 belongs on sw1:9 and is on sw1:2" in stage.sweep().detail
    assert stage.metrics("fzk01")["mthca0/1", "ib.cable"][0] == "moved"
    assert stage.metrics("sw1")["9", "ib.cable"][0] == "missing"


def test_truncated_error_list_yields_no_false_growth(stage: Stage) -> None:
    stage.sweep()
    stage.tools.output["--details"] = stage.tools.output["--details"][:1]
    ran = stage.sweep()
    assert "the counters are a part" in ran.detail
    assert not stage.of(PortSamples, "sw1")


def test_missing_tools_and_unresponsive_fabric_are_typed_errors(stage: Stage) -> None:
    stage.tools.missing = True
    with pytest.raises(UnusableError, match="not installed"):
        stage.sweep()
    stage.tools.missing = False
    stage.tools.hangs.add("ibnetdiscover")
    with pytest.raises(NoAnswerError):
        stage.sweep()
    stage.tools.hangs.clear()
    stage.tools.output["ibnetdiscover"] = []
    with pytest.raises(UnusableError, match="no fabric"):
        stage.sweep()


def test_names_passed_to_the_tools_contain_no_device_text(stage: Stage) -> None:
    stage.sweep()
    assert f'{SWITCH} "{SWITCH}"\n' in stage.tools.names
    assert "fzk" not in stage.tools.names
