"""The bench's agents, each with its own backend in its namespace, and their tests."""

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

from backstay_bench.verdicts.processors import Host
from backstay_bench.verdicts.wires import Wires
from backstay_testing.agent_process import AgentProcess
from backstay_testing.namespaces import Namespace, run_in
from backstay_testing.sink import Sink
from backstay_wire import Desired, LinuxSource, PortSamples, TestAssignment, TestReport, TestState

UNFINISHED = (TestState.ACCEPTED, TestState.RUNNING)
HOSTS = ("client", "gate", "server")
_START_S = 60.0
_LOOK_S = 0.05


class Node:
    """A real agent in a namespace."""

    def __init__(self, name: str, space: Namespace, host: Host, folder: Path) -> None:
        self.name, self._space = name, space
        folder.mkdir()
        self.sink = Sink(desired=self._desired(1, []))
        run_in(space, self.sink.start)
        arguments = ["--backend", self.sink.url, "--token", self.sink.token]
        self.agent = AgentProcess(folder, arguments, [*space.enter(), *host.enter()]).start()
        host.processes.add(self.agent.pid)

    def _desired(self, generation: int, tests: list[TestAssignment]) -> Desired:
        source = LinuxSource(device=self.name, interval_s=1.0)
        return Desired(
            generation=generation, site="bench", node=self.name, sources=[source], paths=[], tests=tests
        )

    def want(self, tests: list[TestAssignment]) -> None:
        """Exactly these tests."""
        with self.sink.lock:
            self.sink.desired = self._desired(self.sink.desired.generation + 1, tests)

    def ready(self) -> bool:
        """Whether it has reported."""
        return any(isinstance(one, PortSamples) for one in self.sink.reports("ports"))

    def ends(self) -> dict[int, TestReport]:
        """Assignment -> its last report."""
        found = (one for one in self.sink.reports("test") if isinstance(one, TestReport))
        return {one.assignment: one for one in found if one.state not in UNFINISHED}

    def forget(self) -> None:
        """Forget the reports so far."""
        with self.sink.lock:
            self.sink.stored.clear()

    def stop(self) -> None:
        """End the agent, then its backend."""
        self.agent.stop()
        self.sink.stop()


@contextlib.contextmanager
def nodes(wires: Wires, folder: Path) -> Iterator[dict[str, Node]]:
    """A reporting agent on each host; all are stopped at the end."""
    spaces = dict(zip(HOSTS, (wires.client, wires.gate, wires.server), strict=True))
    with contextlib.ExitStack() as undo:
        found = {}
        for name, space in spaces.items():
            found[name] = Node(name, space, wires.hosts[name], folder / name)
            undo.callback(found[name].stop)
        deadline = time.monotonic() + _START_S
        while not all(one.ready() for one in found.values()):
            if time.monotonic() > deadline:
                raise TimeoutError("an agent did not start")
            time.sleep(_LOOK_S)
        yield found
