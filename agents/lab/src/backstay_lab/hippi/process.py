"""The process that runs a fabric: packets between TUN devices, and a socket to look and turn knobs.

`python -m backstay_lab.hippi.process CONFIG SOCKET ALIVE`. It ends on SIGTERM, and when the file ALIVE is
gone. It needs root and says so. A host whose interface is full is not read, so its kernel queues, and the
packets beyond that queue are lost there, as with an adapter that gets no READY.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import sys
import time
from pathlib import Path

from backstay_lab.errors import LabError
from backstay_lab.hippi import attachment
from backstay_lab.hippi import config as configs
from backstay_lab.hippi.control import Desk, Door
from backstay_lab.hippi.fabric import Fabric, Host
from backstay_lab.hippi.packet import NS
from backstay_lab.hippi.tun import open_tun, set_carrier

LARGEST_READ = 65_536
LONGEST_WAIT_NS = NS
"""Between two looks at whether the lab is still there."""


class Ports:
    """The TUN devices of the hosts that carry IP."""

    def __init__(self, hosts: dict[str, Host]) -> None:
        self._hosts = hosts
        self._descriptors = {
            name: open_tun(host.config.namespace, host.config.device)
            for name, host in hosts.items()
            if host.config.carries_ip
        }
        for host in hosts.values():
            if host.config.carries_ip:
                attachment.prepare(host.config.namespace, host.config.device)

    def wanted(self) -> dict[int, Host]:
        """Descriptors to read now."""
        return {
            descriptor: self._hosts[name]
            for name, descriptor in self._descriptors.items()
            if self._hosts[name].wants
        }

    def read(self, descriptor: int, host: Host, now: int) -> None:
        """Take packets from a host's kernel until its interface is full or nothing is left."""
        with contextlib.suppress(BlockingIOError):
            while host.wants:
                host.send(os.read(descriptor, LARGEST_READ), now)

    def deliver(self, arrived: dict[str, list[bytes]]) -> None:
        """Hand packets to the hosts' kernels."""
        for name, packets in arrived.items():
            for data in packets:
                try:
                    os.write(self._descriptors[name], data)
                except (KeyError, OSError):
                    self._hosts[name].undelivered += 1

    def carrier(self, name: str, up: bool) -> None:
        """Give or take a host's carrier."""
        if name in self._descriptors:
            set_carrier(self._descriptors[name], up)


def serve(fabric: Fabric, ports: Ports, door: Door, alive: Path) -> None:
    """Run until `alive` is gone. Virtual time is the monotonic clock from the start."""
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
        awaited: list[int | socket.socket] = [*wanted, *door.waiting()]
        readable, _, _ = select.select(awaited, [], [], max(0, rest) / NS)
        now = time.monotonic_ns() - start
        fabric.agenda.run(now)  # what was due before these packets came goes first
        for descriptor in readable:
            if isinstance(descriptor, int):
                ports.read(descriptor, wanted[descriptor], now)
            else:
                door.answer(descriptor, now)


def main() -> None:
    """Run the fabric whose configuration, control socket and sign of life are named as arguments."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    config_file, control, alive = (Path(argument) for argument in sys.argv[1:4])
    fabric = Fabric(configs.load(config_file.read_text()))
    try:
        ports = Ports(fabric.hosts)
    except LabError as error:
        sys.exit(f"{error.cause} {error.next_step}")
    with Door(control, Desk(fabric, ports.carrier)) as door:
        serve(fabric, ports, door, alive)


if __name__ == "__main__":
    main()
