"""The bench's namespaces: two ends, a gateway before each, and the path between, built for a fault."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from backstay_bench.verdicts.fault import PathSpec
from backstay_bench.verdicts.processors import Host
from backstay_testing.namespaces import Namespace, join, namespace

CLIENT, SERVER = "10.1.0.3", "10.4.0.7"
_GATE, _FAR, _LARGEST = "10.1.0.1", "10.4.0.1", 65_535
_DIRECT, _DELAYED = "10.2.0", "10.3.0"
"""The middle's networks: a veth pair's, and the fabric's."""
_IP, _TC, _NFT, _ETHTOOL, _SYSCTL = (
    "/usr/sbin/ip",
    "/usr/sbin/tc",
    "/usr/sbin/nft",
    "/usr/sbin/ethtool",
    "/usr/sbin/sysctl",
)
_QUEUE_S, _BURST_S = 0.02, 0.002
_LEAST_BURST = 20_000
_ANY_CAMP_ON = 3 << 25 | 1 << 24
"""HIPPI-SC's I-field: by logical address, over any port, waiting where it is busy."""
_FABRIC_RATE = 20_000_000_000
"""Bit/s of the fabric's channels: it delays and does not shape."""
_READY_S, _LONGEST_S = 15.0, "120"
"""Time limits of the fabric: until it is up, and until it ends after the bench was killed."""
_TUN_QUEUE = 1000


@dataclass(frozen=True, slots=True)
class Wires:
    """The two ends, and the two gateways."""

    client: Namespace
    gate: Namespace
    far: Namespace
    server: Namespace
    hosts: dict[str, Host]
    """Their processors, by name."""

    @contextlib.contextmanager
    def built(self, path: PathSpec) -> Iterator[None]:
        """Builds the path and removes it afterwards."""
        with contextlib.ExitStack() as undo:
            if path.rtt_ms:
                undo.enter_context(self._fabric(path))
            self._lengths(path)
            self._routes(_DELAYED if path.rtt_ms else _DIRECT)
            undo.enter_context(self._shaped(path))
            undo.enter_context(self._broken(path))
            undo.enter_context(_burning(path.burners, self.hosts["server"]))
            yield

    def _lengths(self, path: PathSpec) -> None:
        for space, port, mtu in (
            (self.client, "fab0", path.end_mtu),
            (self.gate, "ga0", path.end_mtu),
            (self.gate, "mid0", path.middle_mtu),
            (self.far, "mid1", path.middle_mtu),
            (self.far, "ga0", path.end_mtu),
            (self.server, "fab0", path.end_mtu),
        ):
            space.run("link", "set", port, "mtu", str(mtu))
            state = "off" if path.packets_apart else "on"
            _run(space, _ETHTOOL, "-K", port, "tso", state, "gso", state, "gro", "off")

    def _routes(self, net: str) -> None:
        self.gate.run("route", "replace", "default", "via", f"{net}.7")
        self.far.run("route", "replace", "default", "via", f"{net}.1")
        for space in (self.client, self.gate, self.far, self.server):
            space.run("route", "flush", "cache")

    @contextlib.contextmanager
    def _shaped(self, path: PathSpec) -> Iterator[None]:
        if not path.shaped:
            yield
            return
        back = path.rate if path.back is None else path.back
        ends = list(zip((self.gate, self.far), path.middle, (path.rate, back), strict=True))
        for space, port, rate in ends:
            _run(space, _TC, "qdisc", "replace", "dev", port, "root", *_bucket(rate, path.middle_mtu))
        try:
            yield
        finally:
            for space, port, _ in ends:
                _run(space, _TC, "qdisc", "delete", "dev", port, "root")

    @contextlib.contextmanager
    def _broken(self, path: PathSpec) -> Iterator[None]:
        lines = list(_rules(path))
        if not lines:
            yield
            return
        hook = "{ type filter hook forward priority 0; }"
        out = "{ type filter hook output priority 0; }"
        _run(self.gate, _NFT, "add table ip fault")
        _run(self.gate, _NFT, f"add chain ip fault forward {hook}")
        _run(self.gate, _NFT, f"add chain ip fault output {out}")
        try:
            for line in lines:
                _run(self.gate, _NFT, f"add rule ip fault {line}")
            yield
        finally:
            _run(self.gate, _NFT, "delete table ip fault")

    @contextlib.contextmanager
    def _fabric(self, path: PathSpec) -> Iterator[None]:
        """The lab's HIPPI fabric as a delay line between two TUN devices."""
        spaces = {"gate": (self.gate, 1), "far": (self.far, 7)}
        for space, number in spaces.values():
            space.run("tuntap", "add", "dev", "hip0", "mode", "tun")
            space.run("link", "set", "hip0", "mtu", str(min(path.middle_mtu, _LARGEST)), "up")
            space.run("address", "add", f"{_DELAYED}.{number}/24", "dev", "hip0")
        folder = Path(tempfile.mkdtemp(prefix="backstay-bench-"))
        with contextlib.ExitStack() as undo:
            undo.callback(shutil.rmtree, folder)
            for space, _ in spaces.values():
                undo.callback(space.run, "link", "delete", "hip0")
            names = {name: undo.enter_context(_named(space)) for name, (space, _) in spaces.items()}
            with _process(folder, _config(path, names), self.hosts["gate"]):
                for space, _ in spaces.values():
                    space.run("link", "set", "hip0", "txqueuelen", str(_TUN_QUEUE))
                yield


@contextlib.contextmanager
def wires(hosts: dict[str, Host]) -> Iterator[Wires]:
    """Four namespaces with veth pairs between them."""
    with namespace() as client, namespace() as gate, namespace() as far, namespace() as server:
        join(client, "fab0", gate, "ga0")
        join(gate, "mid0", far, "mid1")
        join(server, "fab0", far, "ga0")
        for space, port, address in (
            (client, "fab0", CLIENT),
            (gate, "ga0", _GATE),
            (gate, "mid0", f"{_DIRECT}.1"),
            (far, "mid1", f"{_DIRECT}.7"),
            (far, "ga0", _FAR),
            (server, "fab0", SERVER),
        ):
            space.run("address", "add", f"{address}/24", "dev", port)
            # Metrics of an earlier connection must not affect the next fault.
            _run(space, _SYSCTL, "-qw", "net.ipv4.tcp_no_metrics_save=1")
        client.run("route", "add", "default", "via", _GATE)
        server.run("route", "add", "default", "via", _FAR)
        for space in (gate, far):
            _run(space, _SYSCTL, "-qw", "net.ipv4.ip_forward=1")
        yield Wires(client, gate, far, server, hosts)


def _bucket(rate: float, mtu: int) -> list[str]:
    """tc-tbf(8): two milliseconds of burst, twenty of queue."""
    burst = max(round(1e6 * rate / 8 * _BURST_S), _LEAST_BURST, 2 * mtu)
    limit = max(round(1e6 * rate / 8 * _QUEUE_S), 8 * mtu) + burst
    return ["tbf", "rate", f"{round(1e6 * rate)}bit", "burst", str(burst), "limit", str(limit)]


def _rules(path: PathSpec) -> Iterator[str]:
    """nft(8) rules of the packets that the gateway drops."""
    if path.loss:
        yield f"forward iifname ga0 numgen random mod 100000 < {round(1000 * path.loss)} drop"
    if path.pps:
        burst = max(5, path.pps // 200)
        over = f"limit rate over {path.pps}/second burst {burst} packets"
        yield f"forward iifname ga0 meta l4proto {path.limited} {over} drop"
    if path.silent:
        yield "output icmp type destination-unreachable icmp code frag-needed drop"


@contextlib.contextmanager
def _named(space: Namespace) -> Iterator[str]:
    """Give a namespace a name as in ip-netns(8), by which the lab's programs find it."""
    name = f"backstay-bench-{space.pid}"
    subprocess.run([_IP, "netns", "attach", name, str(space.pid)], check=True, capture_output=True)
    try:
        yield name
    finally:
        subprocess.run([_IP, "netns", "delete", name], check=True, capture_output=True)


def _config(path: PathSpec, names: dict[str, str]) -> str:
    """A switch with the two gateways; each direction takes half of the round trip."""
    delay = round(path.rtt_ms * 1e6 / 2)
    numbers = {"gate": 1, "far": 2}
    behind = {"gate": (f"{_DELAYED}.1", CLIENT), "far": (f"{_DELAYED}.7", SERVER)}
    hosts = [
        {
            "name": name,
            "namespace": namespace,
            "device": "hip0",
            "switch": "s",
            "port": numbers[name],
            "rate": _FABRIC_RATE,
            "delay_ns": delay,
            "fifo": 64,
            "ifields": {
                address: _ANY_CAMP_ON | numbers[name] << 12 | numbers[other]
                for other, addresses in behind.items()
                if other != name
                for address in addresses
            },
        }
        for name, namespace in names.items()
    ]
    switch = {"name": "s", "size": 4, "pathways": {"1": [1], "2": [2]}}
    return json.dumps({"switches": [switch], "hosts": hosts, "gateways": [], "blockers": []})


@contextlib.contextmanager
def _process(folder: Path, config: str, host: Host) -> Iterator[None]:
    """The fabric's program, as run by the lab; its work counts as the gateway's."""
    file, control, alive = folder / "fabric.json", folder / "control", folder / "alive"
    file.write_text(config)
    alive.touch()
    program = [sys.executable, "-m", "backstay_lab.hippi.process", *map(str, (file, control, alive))]
    command = ["/usr/bin/timeout", _LONGEST_S, *program]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    host.processes.add(process.pid)
    try:
        deadline = time.monotonic() + _READY_S
        while not control.exists():
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the fabric did not start: {(folder / 'log').read_text()}")
            time.sleep(0.02)
        yield
    finally:
        host.processes.discard(process.pid)
        process.terminate()
        process.wait(10)


@contextlib.contextmanager
def _burning(count: int, host: Host) -> Iterator[None]:
    """Programs of a host that keep one processor busy each, for a limited time."""
    processors = sorted(os.sched_getaffinity(0))
    pinned = [processors[number % len(processors)] for number in range(count)]
    work = [sys.executable, "-c", "while True: pass"]
    started = [
        subprocess.Popen(["/usr/bin/timeout", _LONGEST_S, "/usr/bin/taskset", "-c", str(item), *work])
        for item in pinned
    ]
    host.processes.update(item.pid for item in started)
    try:
        yield
    finally:
        for item in started:
            host.processes.discard(item.pid)
            item.terminate()
            item.wait(10)


def _run(space: Namespace, *argv: str | Sequence[str]) -> None:
    tokens = [part for item in argv for part in ([item] if isinstance(item, str) else item)]
    subprocess.run([*space.enter(), *tokens], check=True, capture_output=True)
