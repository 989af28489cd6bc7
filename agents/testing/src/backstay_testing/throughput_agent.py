"""An agent's throughput tests without the rest of the agent, over loopback."""

import asyncio
import socket
import time
from pathlib import Path
from uuid import uuid4

from backstay_agent.host.clock import HostClock
from backstay_agent.host.kernel.netlink import Netlink
from backstay_agent.parsers.linux.rtnl import KernelLink
from backstay_agent.probes.throughput.assignments import TestAssignments
from backstay_agent.probes.throughput.host import ThroughputHost
from backstay_agent.probes.throughput.journal import Journal
from backstay_agent.probes.throughput.tools import Tools
from backstay_agent.report_sink import BuildReport
from backstay_wire import Desired, Report, Role, Spec, TestAssignment, TestReport, TestState

HERE = "127.0.0.1"
UNFINISHED = (TestState.ACCEPTED, TestState.RUNNING)


class NoPorts:
    """A host with only a loopback port."""

    def __init__(self) -> None:
        self.links: dict[int, KernelLink] = {}
        self.addresses: dict[int, list[str]] = {}
        self.speeds: dict[int, int] = {}

    async def start(self) -> None:
        """Nothing to read."""


class Side:
    """One agent's tests, and what it reported."""

    def __init__(self, journal: Path | None = None, tools: Tools | None = None) -> None:
        self.output: list[TestReport] = []
        self._boot = uuid4()
        self._news = asyncio.Event()
        self._netlink = Netlink()
        self.host = ThroughputHost(
            clock=HostClock(),
            emit=self._emit,
            ports=NoPorts(),
            counters=self._netlink,
            offset=lambda: None,
            journal=Journal(journal),
            tools=tools or Tools(),
        )
        self.tests = TestAssignments(self.host)

    def _emit(self, build: BuildReport, *, urgent: bool = False, can_wait: bool = False) -> None:
        report: Report = build(self._boot, len(self.output) + 1)
        assert isinstance(report, TestReport)
        assert urgent
        self.output.append(report)
        self._news.set()

    def want(self, *assignments: TestAssignment) -> None:
        """Set exactly these assignments."""
        self.tests.take_up(
            Desired(generation=1, site="s", node="n", sources=[], paths=[], tests=list(assignments))
        )

    def states(self, assignment: int) -> list[TestState]:
        """All reports of an assignment."""
        return [one.state for one in self.output if one.assignment == assignment]

    async def last(self, assignment: int, seconds: float = 20.0) -> TestReport:
        """The final report of an assignment, once there is one."""
        async with asyncio.timeout(seconds):
            while all(state in UNFINISHED for state in self.states(assignment)):
                await self._last_reported()
        (last,) = (one for one in self.output if one.assignment == assignment and one.state not in UNFINISHED)
        return last

    async def running(self, assignment: int) -> None:
        """Wait until the assignment has started."""
        async with asyncio.timeout(20):
            while TestState.RUNNING not in self.states(assignment):
                await self._last_reported()

    async def _last_reported(self) -> None:
        self._news.clear()
        await self._news.wait()

    async def close(self) -> None:
        """Stop as on a clean stop of the agent."""
        await self.tests.close()
        self._netlink.close()


def free_port() -> int:
    """A free port."""
    with socket.socket() as probe:
        probe.bind((HERE, 0))
        return int(probe.getsockname()[1])


def assignment(
    assignment: int, role: Role, spec: Spec, port: int, *, lead_s: float = 0.8, **more: object
) -> TestAssignment:
    """An assignment that starts in `lead_s`."""
    ends = {"local": HERE} if role is Role.SERVER else {"peer": HERE, "peer_name": "shift7"}
    start_at = time.time_ns() + round(lead_s * 1e9)
    values = {"run": 1, "cell": 1, "start_at": start_at, "limit_s": 20, **ends, **more}
    return TestAssignment.model_validate(
        {"id": assignment, "role": role, "spec": spec, "port": port, **values}
    )


def pair(spec: Spec, **more: object) -> tuple[TestAssignment, TestAssignment]:
    """Assignments 1 and 2, of a server and a client."""
    port, start = free_port(), time.time_ns() + 800_000_000
    both = {"port": port, "start_at": start, **more}
    return assignment(1, Role.SERVER, spec, **both), assignment(2, Role.CLIENT, spec, **both)  # type: ignore[arg-type]


def listening(port: int) -> bool:
    """Whether the port has a listener."""
    with socket.socket() as probe:
        return probe.connect_ex((HERE, port)) == 0
