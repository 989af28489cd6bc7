"""A node under change: engine, driver and guard as real processes, and a controller beyond the gateways. The
test acts as the backend by requesting phases."""

import contextlib
import shutil
import socket
import tempfile
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path
from uuid import uuid4

from backstay_agent.actuators.routing_state import read
from backstay_agent.engines import actuator_for
from backstay_agent.guard.store import FAULT_VARIABLE
from backstay_agent.host.kernel.boot_time import FILE_VARIABLE
from backstay_testing.controller import ANSWER, Controller
from backstay_testing.driver_node import CHANGE, DrivenNode
from backstay_testing.engines import BEHIND, DEFAULT, EngineProcess, Node, hops, node, routing, wait_until
from backstay_testing.namespaces import run_in
from backstay_testing.node_state import read_state
from backstay_wire import ChangeAssignment, ChangeProbe, EngineKind, Phase


class ChangedNode(DrivenNode):
    """One node, one change: from grf1 preferred to atmgw to the test's gateways."""

    def __init__(self, place: Node, engine: EngineProcess, folder: Path) -> None:
        self.node = place
        self.engine = engine
        self.boot_id = folder / "boot_id"
        """Names this boot; `reboot` writes another one."""
        self.fault = folder / "fault"
        """See FAULT_VARIABLE: the step at which agent or guard dies or stops."""
        self.boot_id.write_text(str(uuid4()))
        self.controller = Controller(place.far, BEHIND)
        own = {FILE_VARIABLE: str(self.boot_id), FAULT_VARIABLE: str(self.fault)}
        super().__init__(place.space, folder, (BEHIND, self.controller.port), own)

    def propose(self, *gateways: str, timeout_s: float = 5.0, base: str | None = None) -> None:
        """Request a change to these gateways in order."""
        engine = self.engine.engine
        digest = self.node.run(lambda: read(actuator_for(engine), engine, [DEFAULT])).digest
        self.assignment = ChangeAssignment(
            change=CHANGE,
            revision=CHANGE,
            phase=Phase.PREPARE,
            base=digest if base is None else base,
            routing=routing(engine, hops(*gateways), CHANGE, self.engine.boot),
            probes=[ChangeProbe(name="behind", address=ip_address(BEHIND))],
            probe_s=2.0,
            timeout_s=timeout_s,
        )
        self.want(Phase.PREPARE)

    def seen(self) -> dict[str, str]:
        """The node's state from ip(8) and the disk, independent of the code under test."""
        return read_state(self.node, self.engine)

    def reaches_controller(self) -> bool:
        """Whether the controller answers over a new connection, each step within half a second."""
        answers: list[bytes] = []

        def connect() -> None:
            with (
                contextlib.suppress(OSError),
                socket.create_connection((BEHIND, self.controller.port), 0.5) as connection,
            ):
                answers.append(connection.recv(len(ANSWER)))

        run_in(self.space, connect)
        return bool(answers and answers[0])

    def reboot(self) -> None:
        """Lose power and boot: all processes end, the ports are new, the engine reads its boot file.

        Returns when a guard runs again: until then nobody can act.
        """
        earlier = self.guard_pid()
        self.end()
        self.engine.stop()
        self.node.unplug()
        self.boot_id.write_text(str(uuid4()))
        self.node.plug()
        self.engine.boot_again()
        self.start()
        wait_until(lambda: self.guard_pid() not in (0, earlier), 120)

    def stop(self) -> None:
        """End every process."""
        self.end()
        with contextlib.suppress(OSError):  # stopped before
            self.controller.stop()


@contextlib.contextmanager
def changed_node(kind: EngineKind, engine: type[EngineProcess] = EngineProcess) -> Iterator[ChangedNode]:
    """A node with its driver running; `engine` may be the daemon of a lab."""
    folder = Path(tempfile.mkdtemp(prefix="bschange"))
    folder.chmod(0o755)
    try:
        with node() as place:
            process = engine(kind, place, folder / "engine", hops("grf1", "atmgw"))
            try:
                made = ChangedNode(place, process.start(), folder)
                made.start()
                try:
                    yield made
                finally:
                    made.stop()
            finally:
                process.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
