"""A node with two gateways in private namespaces, and its routing daemons: for tests and benchmarks.

`far` is both gateways and everything behind them, so that the node can be isolated in every way.
"""

import asyncio
import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import TypeVar

from backstay_agent.host.boot_files import digest
from backstay_testing.namespaces import Namespace, namespace, run_in
from backstay_testing.processes import command_lines
from backstay_wire import Detection, Engine, EngineKind, FileIntent, Hop, NodeRouting, PolicyRoute
from backstay_wire.routing import marks

BEHIND = "10.77.9.1"
"""An address behind both gateways."""
DEFAULT = ip_network("0.0.0.0/0")
POLICY = "sp-default"
GATEWAYS = {"grf1": ("10.77.1.1", "p1"), "atmgw": ("10.77.2.1", "p2"), "nobody": ("10.77.1.77", "p1")}
_FRR = Path("/usr/lib/frr")
_LABGATED = ("backstay_lab", "backstay_gatedconf")
_GDC = "from backstay_lab.labgated.gdc import main; main()"

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Node:
    """Two namespaces: the node's, and `far`."""

    space: Namespace
    far: Namespace

    def run(self, work: Callable[[], Awaitable[Result]]) -> Result:
        """Run a coroutine in the node's namespace."""
        found: list[Result] = []

        async def keep() -> None:
            found.append(await work())

        run_in(self.space, lambda: asyncio.run(keep()))
        return found[0]

    def ask(self, *argv: str) -> str:
        """The output of a program in the node's namespace. Raises CalledProcessError."""
        done = subprocess.run([*self.space.enter(), *argv], check=True, capture_output=True, text=True)
        return done.stdout

    def plug(self) -> None:
        """Connect both ports. Their hardware addresses are fixed, so that all nodes have the same state."""
        for number in (1, 2):
            port, peer = f"p{number}", f"q{number}"
            pair = f"link add {port} address 02:77:0{number}:00:00:02 type veth peer name {peer}"
            self.space.run(*pair.split())
            self.space.run("link", "set", peer, "netns", str(self.far.pid))
            self.far.run("link", "set", peer, "address", f"02:77:0{number}:00:00:01", "up")
            self.space.run("link", "set", port, "up")
            self.space.run("address", "add", f"10.77.{number}.2/24", "dev", port)
            self.far.run("address", "add", f"10.77.{number}.1/24", "dev", peer)
        # The kernel adds link-local addresses later by itself: the node's state is complete with them only.
        wait_until(lambda: self.ask("ip", "-6", "route", "show", "table", "local").count("local fe80") == 2)

    def unplug(self) -> None:
        """Delete both ports with all that the kernel knows of them, as a reboot does."""
        for number in (1, 2):
            self.space.run("link", "delete", f"p{number}")


@contextlib.contextmanager
def node() -> Iterator[Node]:
    """A node whose ports p1 and p2 lead to grf1 and atmgw."""
    with namespace() as space, namespace() as far:
        made = Node(space, far)
        for side in (space, far):  # IPv6 addresses are usable at once
            subprocess.run([*side.enter(), "sysctl", "-qw", "net.ipv6.conf.default.accept_dad=0"], check=True)
        made.plug()
        far.run("address", "add", f"{BEHIND}/32", "dev", "lo")
        yield made


def hops(*gateways: str) -> list[Hop]:
    """Gateways in this order, at preferences 60, 70, ..."""
    return [
        Hop(
            gateway=name,
            address=ip_address(GATEWAYS[name][0]),
            port=GATEWAYS[name][1],
            preference=60 + 10 * place,
        )
        for place, name in enumerate(gateways)
    ]


def block(kind: EngineKind, ordered: list[Hop]) -> str:
    """The text between the marks."""
    lines = []
    for hop in ordered:
        if kind is EngineKind.KERNEL:
            lines.append(
                f"route replace 0.0.0.0/0 via {hop.address} dev {hop.port} metric {hop.preference} proto 201"
            )
        elif kind is EngineKind.FRR:
            lines.append(f"ip route 0.0.0.0/0 {hop.address} {hop.preference}")
        elif kind is EngineKind.BIRD:
            lines += [
                f"protocol static backstay_{hop.gateway} {{",
                f"  ipv4 {{ preference {260 - hop.preference}; }};",
                f"  route 0.0.0.0/0 via {hop.address};",
                "}",
            ]
        else:
            lines.append(f"default gateway {hop.address} preference {hop.preference} ;")
    return "".join(f"{line}\n" for line in lines)


_AROUND = {
    EngineKind.KERNEL: ("# read at boot\n", ""),
    EngineKind.FRR: ("! the operator's\nip route 10.55.0.0/16 10.77.1.1 33\n", ""),
    EngineKind.BIRD: (
        "router id 10.77.1.2;\nprotocol device { scan time 10; }\n"
        "protocol kernel { ipv4 { import none; export all; }; }\n",
        "",
    ),
    EngineKind.GATED: ("rip no ;\nredirect no ;\nkernel { remnantholdtime 0 ; } ;\nstatic {\n", "} ;\n"),
}


def boot_text(kind: EngineKind, ordered: list[Hop]) -> str:
    """A complete boot file with our block among the operator's lines."""
    before, after = _AROUND[kind]
    opening, closing = marks(POLICY, "0.0.0.0/0")
    return f"{before}{opening}\n{block(kind, ordered)}{closing}\n{after}"


def routing(engine: Engine, ordered: list[Hop], revision: int, base: str) -> NodeRouting:
    """The node's default route through these gateways; `base` is the boot file's current text."""
    variants = {}
    for leader in ordered:
        rest = [hop for hop in ordered if hop is not leader]
        places = zip([leader, *rest], ordered, strict=True)
        moved = [hop.model_copy(update={"preference": place.preference}) for hop, place in places]
        variants[leader.gateway] = block(engine.kind, moved)
    route = PolicyRoute(
        policy=POLICY,
        prefix=DEFAULT,
        hops=ordered,
        detection=Detection.CHECKER,
        target=ip_address(BEHIND),
        variants=variants,
    )
    file = FileIntent(path=engine.config, text=boot_text(engine.kind, ordered), base=digest(base))
    return NodeRouting(revision=revision, engine=engine, routes=[route], files=[file])


class EngineProcess:
    """An engine on a node, with the boot file that it was started with."""

    def __init__(self, kind: EngineKind, place: Node, folder: Path, ordered: list[Hop]) -> None:
        self.node = place
        self.folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        folder.mkdir(parents=True, exist_ok=True)
        names = {EngineKind.BIRD: "bird.conf", EngineKind.FRR: "frr.conf", EngineKind.GATED: "gated.conf"}
        config = folder / names.get(kind, "routes.batch")
        controls = {EngineKind.BIRD: "bird.ctl", EngineKind.FRR: "vty", EngineKind.GATED: "gdc"}
        control = str(folder / controls[kind]) if kind in controls else ""
        dump = str(folder / "gated_dump") if kind is EngineKind.GATED else ""
        self.engine = Engine(kind=kind, config=str(config), control=control, dump=dump)
        self.boot = boot_text(kind, ordered)
        config.write_text(self.boot)

    def start(self) -> "EngineProcess":
        """Start the daemons, if it has any, and read the boot file."""
        {
            EngineKind.KERNEL: self._start_kernel,
            EngineKind.BIRD: self._start_bird,
            EngineKind.FRR: self._start_frr,
            EngineKind.GATED: self._start_gated,
        }[self.engine.kind]()
        return self

    def kill(self) -> None:
        """SIGKILL to all of them."""
        for process in self._processes:
            process.kill()
            process.wait()

    def stop(self) -> None:
        """Stop them, including those restarted from the same folder."""
        self.kill()
        for pid in self.pids():
            with contextlib.suppress(OSError):
                os.kill(pid, 9)

    def pids(self) -> list[int]:
        """Processes whose arguments name the engine's folder."""
        folder, own = str(self.folder), os.getpid()
        return [
            pid
            for pid, arguments in command_lines()
            if pid != own and any(folder in argument for argument in arguments)
        ]

    def boot_again(self) -> None:
        """Start from the boot file after `stop`, as at a boot: sockets of the dead daemons are removed."""
        wait_until(lambda: not self.pids())
        control = Path(self.engine.control)
        if self.engine.kind is EngineKind.FRR:
            shutil.rmtree(control)
        elif self.engine.kind is EngineKind.BIRD:
            control.unlink(missing_ok=True)
        self.start()

    def _spawn(self, *argv: str) -> None:
        nowhere = subprocess.DEVNULL
        command = [*self.node.space.enter(), *argv]
        self._processes.append(subprocess.Popen(command, stdout=nowhere, stderr=nowhere))

    def _start_kernel(self) -> None:
        self.node.ask("ip", "-batch", self.engine.config)

    def _start_bird(self) -> None:
        self._spawn("/usr/sbin/bird", "-f", "-c", self.engine.config, "-s", self.engine.control)
        wait_until(lambda: "10.77." in self.node.ask("ip", "route", "show", "default"))

    def _start_gated(self) -> None:
        """The lab's stand-in, labgated, and its gdc."""
        write_gdc(Path(self.engine.control), self.folder)
        self._spawn(sys.executable, "-m", "backstay_lab.labgated", "-N", "--state", str(self.folder))
        wait_until(lambda: "10.77." in self.node.ask("ip", "route", "show", "default"))

    def hang_once(self, command: str) -> None:
        """Make the next `gdc COMMAND` hang without doing anything; only for gated."""
        write_gdc(Path(self.engine.control), self.folder, hangs_once=command)

    def _start_frr(self) -> None:
        vty = Path(self.engine.control)
        vty.mkdir()
        shutil.chown(vty, "frr", "frr")
        vty.chmod(0o755)
        for name in ("zebra", "staticd"):
            empty = vty / f"{name}.conf"
            empty.touch()
            shutil.chown(empty, "frr", "frr")
            paths = ["-f", str(empty), "-i", str(vty / f"{name}.pid"), "-z", str(vty / "zserv.api")]
            self._spawn(str(_FRR / name), *paths, "--vty_socket", str(vty), "-P", "0")
            wait_until((vty / f"{name}.vty").exists)
        self.node.ask("vtysh", "--vty_socket", str(vty), "-f", self.engine.config)
        wait_until(lambda: "10.77." in self.node.ask("ip", "route", "show", "default"))


def write_gdc(path: Path, state: Path, hangs_once: str = "") -> None:
    """Write an executable `path`: gdc(8) of the labgated whose files are in `state`.

    Its modules are found by their origins, so that Python starts without site-packages, ten times as fast.
    """
    origins = [spec.origin for name in _LABGATED if (spec := find_spec(name)) is not None]
    places = os.pathsep.join(dict.fromkeys(str(Path(origin).parents[1]) for origin in origins if origin))
    mark = path.with_name("gdc-hangs")
    lines = ["#!/bin/sh", f"export LABGATED_DIR={state}", f"export PYTHONPATH={places}"]
    if hangs_once:
        mark.touch()
        lines.append(f'if [ "$1" = {hangs_once} ] && rm {mark} 2>/dev/null; then exec sleep 60; fi')
    lines.append(f'exec {sys.executable} -S -c "{_GDC}" "$@"')
    path.write_text("\n".join(lines) + "\n")
    path.chmod(0o755)


def wait_until(done: Callable[[], bool], seconds: float = 20.0, every_s: float = 0.02) -> None:
    """Raises TimeoutError."""
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end:
            raise TimeoutError("did not happen in time")
        time.sleep(every_s)
