"""A node under change: engine, driver and guard as real processes, and a controller beyond the gateways. The
test acts as the backend by requesting phases."""

import contextlib
import json
import re
import shutil
import socket
import tempfile
from collections.abc import Iterator, Mapping
from ipaddress import ip_address
from pathlib import Path

from backstay_agent.actuators.routing_state import read
from backstay_agent.engines import actuator_for
from backstay_testing.driven_node import CHANGE, DrivenNode
from backstay_testing.engines import BEHIND, DEFAULT, EngineProcess, Node, hops, node, routing
from backstay_testing.namespaces import run_in
from backstay_wire import ChangeAssignment, ChangeProbe, EngineKind, Phase

_SETTINGS = ("arp_ignore", "arp_announce", "ignore_routes_with_linkdown", "rp_filter")


class ChangedNode(DrivenNode):
    """One node, one change: from grf1 preferred to atmgw to the test's gateways."""

    def __init__(self, place: Node, kind: EngineKind, folder: Path, environment: Mapping[str, str]) -> None:
        self.node = place
        self.engine = EngineProcess(kind, place, folder / "engine", hops("grf1", "atmgw")).start()
        self._controller = socket.socket()
        run_in(place.far, self._listen)
        port = self._controller.getsockname()[1]
        super().__init__(place.space, folder, (BEHIND, port), environment)

    def _listen(self) -> None:
        self._controller = socket.create_server((BEHIND, 0), backlog=128)

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
            # zebra numbers its next hops anew at each start.
            "routes": "\n".join(sorted(re.sub(r" nhid \d+", "", self.node.ask("ip", "route")).splitlines())),
            "neighbours": self.node.ask("ip", "neighbour", "show", "nud", "permanent"),
            "settings": self.node.ask("sysctl", *paths),
            "file": Path(self.engine.engine.config).read_text(),
        }

    def stop(self) -> None:
        """End every process."""
        self.end()
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
