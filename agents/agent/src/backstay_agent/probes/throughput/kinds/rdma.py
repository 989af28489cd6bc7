"""RDMA by perftest (ib_write_bw(1), ib_send_lat(1)), if this host has a device."""

from collections.abc import Sequence
from pathlib import Path

from backstay_agent.host.infiniband import SYSFS
from backstay_agent.host.throughput.child import Ended
from backstay_agent.probes.throughput.kinds import base
from backstay_agent.probes.throughput.kinds.base import Command, ThroughputOutcome
from backstay_agent.probes.throughput.tools import PERFTEST, Tools, UnableError
from backstay_wire import Direction, RdmaResult, RdmaSpec, Role, TestAssignment, TestState

_LABELS = {
    "#bytes": ("size", 1.0),
    "#iterations": ("iterations", 1.0),
    "BW peak[Gb/sec]": ("peak", 1e9),
    "BW average[Gb/sec]": ("rate", 1e9),
    "MsgRate[Mpps]": ("messages", 1e6),
    "t_min[usec]": ("least_us", 1.0),
    "t_max[usec]": ("most_us", 1.0),
    "t_typical[usec]": ("typical_us", 1.0),
    "t_avg[usec]": ("mean_us", 1.0),
    "t_stdev[usec]": ("", 1.0),
    "99% percentile[usec]": ("p99_us", 1.0),
}
"""Column header -> (our field, factor); columns without a field are skipped."""
_MESSAGES = "10000"
_REFUSALS = ("couldn't connect", "connection refused", "unable to init the socket connection")


class Rdma:
    """Kind `rdma`."""

    has_server = True
    counts_own_traffic = False

    def __init__(self, devices: Path = SYSFS) -> None:
        self._devices = devices

    async def command(self, assignment: TestAssignment, tools: Tools) -> Command:
        """See Kind."""
        spec = assignment.spec
        assert isinstance(spec, RdmaSpec)
        present = sorted(path.name for path in self._devices.iterdir()) if self._devices.is_dir() else []
        if not present or (spec.device and spec.device not in present):
            wanted = f"no RDMA device {spec.device}" if spec.device and present else "no RDMA device"
            raise UnableError(TestState.MISSING_TOOL, f"{wanted} on this host")
        found = await tools.find(PERFTEST[spec.program])
        return Command((found.path, *arguments(assignment, spec)), found.program)

    def outcome(self, assignment: TestAssignment, ended: Ended) -> ThroughputOutcome:
        """See Kind."""
        if (killed := base.killed(assignment, ended)) is not None:
            return killed
        message = base.message_of(ended)
        if ended.status:
            refused = any(refusal in message.lower() for refusal in _REFUSALS)
            return ThroughputOutcome(TestState.REFUSED if refused else TestState.FAILED, message)
        result = figures(ended.out)
        if result is None:
            return ThroughputOutcome(TestState.TRUNCATED, f"no line of results: {message}")
        return ThroughputOutcome(TestState.DONE, "", result)

    def expected_s(self, assignment: TestAssignment) -> float | None:
        """See Kind."""
        assert isinstance(assignment.spec, RdmaSpec)
        return float(assignment.spec.duration_s) if assignment.spec.program == "ib_write_bw" else None


def arguments(assignment: TestAssignment, spec: RdmaSpec) -> Sequence[str]:
    """perftest's own; a server's are the client's without the peer."""
    head = ["-F", "-p", str(assignment.port), "-s", str(spec.size)]
    device = ["-d", spec.device] if spec.device else []
    peer = [] if assignment.role is Role.SERVER else [str(assignment.peer)]
    if spec.program == "ib_send_lat":
        # With a duration it reports only the mean.
        return [*head, "-n", _MESSAGES, *device, *peer]
    both = ["-b"] if spec.direction is Direction.BOTH else []
    wide = ["-D", str(spec.duration_s), "--report_gbits", "-q", str(spec.queue_pairs)]
    return [*head, *wide, *both, *device, *peer]


def figures(output: str) -> RdmaResult | None:
    """The line of results below its header; None if there is none."""
    head: list[tuple[str, float]] = []
    for line in output.splitlines():
        if "#bytes" in line:
            places = sorted((place, label) for label in _LABELS if (place := line.find(label)) >= 0)
            head = [_LABELS[label] for _, label in places]
            continue
        try:
            numbers = [float(part) for part in line.split()]
        except ValueError:
            continue
        if head and len(numbers) >= len(head):
            rows = zip(head, numbers, strict=False)
            reported = {ours: value * factor for (ours, factor), value in rows if ours}
            size, iterations = int(reported.pop("size")), int(reported.pop("iterations"))
            return RdmaResult(size=size, iterations=iterations, **reported)
    return None
