"""The process that runs a fabric: packets between TUN devices, and a socket to read and change settings.

`python -m backstay_lab.hippi.process CONFIG SOCKET ALIVE`. It ends on SIGTERM, and when the file ALIVE
disappears. It needs root. A host whose interface is full is not read, so its kernel queues packets and
drops those beyond the queue, as with an adapter that gets no READY.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import signal
import socket
import struct
import sys
import time
from pathlib import Path

from backstay_lab.errors import LabError
from backstay_lab.hippi import config as configs
from backstay_lab.hippi.control import ControlSocket, Desk
from backstay_lab.hippi.fabric import HippiFabric, HippiHost
from backstay_lab.hippi.packet import NS
from backstay_lab.network import netns
from backstay_lab.programs import run

IFF_TUN, IFF_NO_PI = 0x0001, 0x1000
TUNSETIFF = 0x400454CA
TUNSETCARRIER = 0x400454E2


def open_tun(namespace: str, device: str) -> int:
    """A non-blocking descriptor of a TUN device in a namespace; a missing device is created.

    Each read or write is one packet of at most the MTU, without segmentation offload. LabError when the
    process lacks the permission: only root may open /dev/net/tun and configure devices.
    """
    request = struct.pack("16sH22x", device.encode(), IFF_TUN | IFF_NO_PI)

    def attach() -> int:
        descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            fcntl.ioctl(descriptor, TUNSETIFF, request)
        except OSError:
            os.close(descriptor)
            raise
        return descriptor

    try:
        return netns.inside(namespace, attach)
    except PermissionError as error:
        raise LabError(
            f"The HIPPI fabric may not open {device} in {namespace}: {error}.",
            "It needs TUN devices, and so root (CAP_NET_ADMIN and /dev/net/tun).",
        ) from error


def set_carrier(descriptor: int, up: bool) -> None:
    """Set the device's carrier."""
    fcntl.ioctl(descriptor, TUNSETCARRIER, struct.pack("I", up))


KERNEL_QUEUE = 64
"""Packets that a host's kernel queues while its interface is full: 64 of 64 KB, 4 MB."""
CONGESTION_CONTROL = "cubic"


def prepare(namespace: str, device: str) -> None:
    """Set a short queue, and cubic for its connections.

    cubic is set per route (ip-route(8), congctl): a namespace's sysctl accepts only what the machine allows
    for all.
    """
    enter = ["ip", "-n", namespace]
    run([*enter, "link", "set", "dev", device, "txqueuelen", str(KERNEL_QUEUE)])
    for route in json.loads(run([*enter, "-json", "route", "show", "dev", device])):
        route_options = ["dev", device, "proto", "kernel", "scope", "link", "src", route["prefsrc"]]
        run([*enter, "route", "change", route["dst"], *route_options, "congctl", CONGESTION_CONTROL])
    netns.inside(namespace, _forget_metrics)


def _forget_metrics() -> None:
    """Remove cached TCP metrics, which would affect the next experiment."""
    Path("/proc/sys/net/ipv4/tcp_no_metrics_save").write_text("1")


LARGEST_READ = 65_536
LONGEST_WAIT_NS = NS
"""Interval of checks whether the lab still exists."""


class HostTunnels:
    """The TUN devices of the hosts that carry IP."""

    def __init__(self, hosts: dict[str, HippiHost]) -> None:
        self._hosts = hosts
        self._descriptors = {
            name: open_tun(host.config.namespace, host.config.device)
            for name, host in hosts.items()
            if host.config.carries_ip
        }
        for host in hosts.values():
            if host.config.carries_ip:
                prepare(host.config.namespace, host.config.device)

    def wanted(self) -> dict[int, HippiHost]:
        """Descriptors to read now."""
        return {
            descriptor: self._hosts[name]
            for name, descriptor in self._descriptors.items()
            if self._hosts[name].wants
        }

    def read(self, descriptor: int, host: HippiHost, now: int) -> None:
        """Read packets from the hosts' kernels until the interface is full or no packet is left."""
        with contextlib.suppress(BlockingIOError):
            while host.wants:
                host.send(os.read(descriptor, LARGEST_READ), now)

    def deliver(self, arrived: dict[str, list[bytes]]) -> None:
        """Write packets to the hosts' kernels."""
        for name, packets in arrived.items():
            for data in packets:
                try:
                    os.write(self._descriptors[name], data)
                except (KeyError, OSError):
                    self._hosts[name].undelivered += 1

    def carrier(self, name: str, up: bool) -> None:
        """Set a host's carrier."""
        if name in self._descriptors:
            set_carrier(self._descriptors[name], up)


def serve(fabric: HippiFabric, ports: HostTunnels, control_socket: ControlSocket, alive: Path) -> None:
    """Run until `alive` disappears. Virtual time is the monotonic clock since the start."""
    start = looked = time.monotonic_ns()
    while True:
        now = time.monotonic_ns()
        ports.deliver(fabric.run(now - start))
        if now - looked >= LONGEST_WAIT_NS:
            looked = now
            if not alive.exists():
                return
        due = fabric.agenda.due()
        rest = LONGEST_WAIT_NS if due is None else min(LONGEST_WAIT_NS, start + due - time.monotonic_ns())
        wanted = ports.wanted()
        awaited: list[int | socket.socket] = [*wanted, *control_socket.waiting()]
        readable, _, _ = select.select(awaited, [], [], max(0, rest) / NS)
        now = time.monotonic_ns() - start
        fabric.agenda.run(now)  # run events due before these packets arrived
        for descriptor in readable:
            if isinstance(descriptor, int):
                ports.read(descriptor, wanted[descriptor], now)
            else:
                control_socket.answer(descriptor, now)


def main() -> None:
    """Run the fabric: arguments are its configuration, control socket and ALIVE file."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    config_file, control, alive = (Path(argument) for argument in sys.argv[1:4])
    fabric = HippiFabric(configs.load(config_file.read_text()))
    try:
        ports = HostTunnels(fabric.hosts)
    except LabError as error:
        sys.exit(f"{error.cause} {error.next_step}")
    with ControlSocket(control, Desk(fabric, ports.carrier)) as control_socket:
        serve(fabric, ports, control_socket, alive)


if __name__ == "__main__":
    main()
