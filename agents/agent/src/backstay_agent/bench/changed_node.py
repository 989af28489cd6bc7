"""A node under change: engine, driver and guard as real processes, a controller beyond the gateways, and the
backend's part, which a test plays by phases."""

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from ipaddress import ip_address
from pathlib import Path

from backstay_agent.actuators.registry import actuator_for
from backstay_agent.actuators.routing_state import read
from backstay_agent.bench.engines import BEHIND, DEFAULT, EngineProcess, Node, hops, node, routing, wait_until
from backstay_agent.bench.network import run_in
from backstay_agent.host.files import atomic_write, private_dir
from backstay_wire import ChangeDuty, ChangeProbe, ChangeReport, EngineKind, NodePhase, Phase

CHANGE = 7
_POLL_S = 0.1
_SETTINGS = ("arp_ignore", "arp_announce", "rp_filter")


class ChangedNode:
    """One node, one change: from grf1 before atmgw to what the test wants."""

    def __init__(self, place: Node, kind: EngineKind, folder: Path, environment: Mapping[str, str]) -> None:
        self.node = place
        self.folder = folder
        self.engine = EngineProcess(kind, place, folder / "engine", hops("grf1", "atmgw")).start()
        self._environment = {**os.environ, **environment}
        self._driver: subprocess.Popen[bytes] | None = None
        self._controller = socket.socket()
        self.duty: ChangeDuty | None = None
        private_dir(folder / "state")
        run_in(place.far, self._listen)

    def _listen(self) -> None:
        self._controller = socket.create_server((BEHIND, 0), backlog=128)

    def start(self) -> None:
        """Start the driver (again)."""
        argv = [sys.executable, "-m", "backstay_agent.bench.changing", str(self.folder), BEHIND]
        argv.append(str(self._controller.getsockname()[1]))
        with (self.folder / "driver.log").open("ab") as log:
            self._driver = subprocess.Popen(
                [*self.node.space.enter(), *argv], stdout=log, stderr=log, env=self._environment
            )

    def kill_driver(self) -> None:
        """SIGKILL to the agent's part."""
        assert self._driver is not None
        self._driver.kill()
        self._driver.wait()

    def go_on(self) -> None:
        """SIGCONT to the agent's part."""
        assert self._driver is not None
        self._driver.send_signal(signal.SIGCONT)

    @property
    def driver_runs(self) -> bool:
        """Whether the agent's part lives."""
        return self._driver is not None and self._driver.poll() is None

    def guard_pid(self) -> int:
        """The guard's process; 0 without one."""
        try:
            return int(json.loads((self.folder / "state/guard/watching.json").read_bytes())["pid"])
        except (OSError, ValueError):
            return 0

    def kill_guard(self) -> None:
        """SIGKILL to the guard."""
        os.kill(self.guard_pid(), signal.SIGKILL)

    def propose(self, *gateways: str, timeout_s: float = 5.0, base: str | None = None) -> None:
        """Ask for a change to these gateways in order, to be prepared."""
        engine = self.engine.engine
        digest = self.node.run(lambda: read(actuator_for(engine), engine, [DEFAULT])).digest
        self.duty = ChangeDuty(
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

    def want(self, phase: Phase) -> None:
        """Ask for a phase."""
        assert self.duty is not None
        self.duty = self.duty.model_copy(update={"phase": phase})
        atomic_write(self.folder / "duties.json", f"[{self.duty.model_dump_json()}]".encode())

    def drop(self) -> None:
        """The duty is over."""
        atomic_write(self.folder / "duties.json", b"[]")

    def reports(self) -> list[ChangeReport]:
        """What the node has told."""
        try:
            lines = (self.folder / "reports.jsonl").read_text().splitlines()
        except FileNotFoundError:
            return []
        return [ChangeReport.model_validate_json(line) for line in lines]

    def until(self, *phases: NodePhase, seconds: float = 60.0) -> ChangeReport:
        """Wait until the node tells one of these phases. Raises TimeoutError."""
        try:
            wait_until(lambda: any(report.phase in phases for report in self.reports()), seconds, _POLL_S)
        except TimeoutError:
            told = [(report.phase, report.reason) for report in self.reports()]
            raise TimeoutError(f"none of {phases}; told {told}, journal at {self.step()!r}") from None
        return [report for report in self.reports() if report.phase in phases][-1]

    def until_step(self, step: str) -> None:
        """Wait until the journal stands there; empty: until there is none. Raises TimeoutError."""
        wait_until(lambda: self.step() == step)

    def until_dead(self) -> None:
        """Wait until the agent's part has died. Raises TimeoutError."""
        wait_until(lambda: not self.driver_runs, 30)

    def step(self) -> str:
        """The step in the journal; empty without one."""
        try:
            return str(json.loads((self.folder / f"state/guard/{CHANGE}.journal.json").read_bytes())["step"])
        except FileNotFoundError:
            return ""

    def seen(self) -> dict[str, str]:
        """The node as ip(8) and the disk tell it, without a word from the code under test."""
        addresses = json.loads(self.node.ask("ip", "-j", "address"))
        ports = [
            f"{port['ifname']} {'UP' in port['flags']} {port['mtu']} "
            + " ".join(
                f"{own['local']}/{own['prefixlen']}" for own in port["addr_info"] if own["scope"] != "link"
            )
            for port in addresses
        ]
        paths = [f"net.ipv4.conf.{port}.{name}" for port in ("all", "p1", "p2") for name in _SETTINGS]
        return {
            "ports": "\n".join(ports),
            # The numbers that zebra gives its next hops are new ones at each start.
            "routes": "\n".join(sorted(re.sub(r" nhid \d+", "", self.node.ask("ip", "route")).splitlines())),
            "neighbours": self.node.ask("ip", "neighbour", "show", "nud", "permanent"),
            "settings": self.node.ask("sysctl", *paths),
            "file": Path(self.engine.engine.config).read_text(),
        }

    def until_as(self, before: dict[str, str], seconds: float) -> float:
        """Wait until the node is as it was; how long it took. Raises TimeoutError naming what differs."""
        began = time.monotonic()
        while (now := self.seen()) != before:
            if time.monotonic() - began > seconds:
                differing = {key: (before[key], now[key]) for key in before if before[key] != now[key]}
                raise TimeoutError(f"differs: {differing}")
            time.sleep(0.3)
        return time.monotonic() - began

    def stop(self) -> None:
        """End every process."""
        if self.driver_runs:
            self.kill_driver()
        with contextlib.suppress(OSError):
            if self.guard_pid():
                self.kill_guard()
        self.engine.stop()
        self._controller.close()


@contextlib.contextmanager
def changed_node(kind: EngineKind, **environment: str) -> Iterator[ChangedNode]:
    """A node with its driver running."""
    folder = Path(tempfile.mkdtemp(prefix="bschange"))
    folder.chmod(0o755)
    try:
        with node() as place:
            made = ChangedNode(place, kind, folder, environment)
            made.start()
            try:
                yield made
            finally:
                made.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
