"""The routing daemon: waits for signals, kernel events and protocols, then updates the kernel's routes.

Signals as in gated(8): SIGINT writes the dump, SIGHUP reloads the configuration, SIGTERM ends, SIGUSR1
toggles tracing, SIGUSR2 rescans the interfaces.
"""

from __future__ import annotations

import contextlib
import logging
import os
import selectors
import signal
import socket
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from ipaddress import IPv4Network

from backstay_lab.labgated import dump, netlink
from backstay_lab.labgated.candidates import World, candidates
from backstay_lab.labgated.config import Config, ConfigError, load
from backstay_lab.labgated.discovery import Routers
from backstay_lab.labgated.listeners import DiscoveryListener, Listener, RipListener
from backstay_lab.labgated.netlink import Netlink
from backstay_lab.labgated.rib import Rib
from backstay_lab.labgated.rip import RipTable
from backstay_lab.labgated.state_files import StateFiles
from backstay_lab.labgated.values import KernelRoute

_log = logging.getLogger("labgated")


class Installer:
    """Identifies our kernel routes by their protocol; stateless."""

    def __init__(self, kernel: Netlink, *, install: bool) -> None:
        self._kernel = kernel
        self._install = install

    def found(self) -> tuple[list[KernelRoute], list[KernelRoute]]:
        """(gated's routes, other routes) in the kernel. Raises OSError."""
        routes = self._kernel.routes()
        ours = [route for protocol, route in routes if protocol == netlink.GATED]
        others = [route for protocol, route in routes if protocol not in {netlink.GATED, netlink.KERNEL}]
        return ours, others

    def bring_about(self, wanted: Mapping[IPv4Network, KernelRoute], ours: Collection[KernelRoute]) -> None:
        """Reconcile our kernel routes with the wanted ones."""
        if not self._install:
            return
        there = {route.prefix: route for route in ours}
        for prefix, route in wanted.items():
            if there.get(prefix) != route:
                self._try("put", route)
        for prefix, route in there.items():
            if prefix not in wanted:
                self._try("remove", route)

    def _try(self, what: str, route: KernelRoute) -> None:
        _log.info("KRT %s %s by %s", what, route.prefix, route.gateway or route.kind)
        try:
            (self._kernel.put if what == "put" else self._kernel.remove)(route)
        except OSError as error:
            # The kernel considers the gateway unreachable; the next scan retries.
            _log.warning("KRT %s %s by %s: %s", what, route.prefix, route.gateway, error)

    def flush(self, kept: Collection[IPv4Network]) -> None:
        """Remove our routes except these."""
        if self._install:
            for route in self.found()[0]:
                if route.prefix not in kept:
                    self._try("remove", route)


LOOK_AGAIN_S = 1.0
SIGNALS = (signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2)


@dataclass(frozen=True)
class Choices:
    """Options of the command line."""

    install: bool = True
    time_scale: float = 1.0


class LabgatedDaemon:
    """One labgated. Construct it in its namespace; signals are handled from then on."""

    def __init__(self, place: StateFiles, config: Config, choices: Choices) -> None:
        self._place, self._config, self._choices = place, config, choices
        self._kernel = netlink.Netlink()
        self._events = netlink.events()
        self._installer = Installer(self._kernel, install=choices.install)
        self._rib = Rib()
        self._learned = RipTable(choices.time_scale)
        self._routers = Routers(choices.time_scale)
        self._listeners: list[Listener] = [RipListener(self._learned), DiscoveryListener(self._routers)]
        now = time.monotonic()
        self._world = World(ports=self._kernel.ports(), remnants=self._installer.found()[0])
        self._remnants_end = now + config.remnant_s * choices.time_scale
        self._next_scan = now
        self._began = datetime.now().astimezone()
        self._ending = False
        self._signals, self._wake = socket.socketpair()
        self._catch_signals()

    def run(self) -> None:
        """Until SIGTERM."""
        _log.info("started on %s", self._place.conf)
        while not self._ending:
            now = time.monotonic()
            self._settle(now)
            for source in self._wait(self._timeout(now)):
                self._answer(source, time.monotonic())
        kept = self._rib.kept()
        if self._config.flush_at_exit:
            self._installer.flush(kept)
        _log.info("ended")

    def _catch_signals(self) -> None:
        for side in (self._signals, self._wake):
            side.setblocking(False)
        for number in SIGNALS:
            signal.signal(number, lambda *_: None)
        signal.set_wakeup_fd(self._wake.fileno(), warn_on_full_buffer=False)

    def _settle(self, now: float) -> None:
        """Read the kernel's state, choose routes, and update the kernel."""
        try:
            ours, self._world.foreign = self._installer.found()
            self._world.ports = self._kernel.ports()
        except OSError as error:
            _log.warning("cannot read the kernel's state: %s", error)
            self._next_scan = now + LOOK_AGAIN_S
            return
        self._next_scan = now + self._config.scan_s
        if now >= self._remnants_end:
            self._world.remnants = ()
        for listener in self._listeners:
            listener.settle(self._config, self._world.ports)
        self._learned.tick(now)
        self._routers.tick(now)
        self._world.learned = self._learned.learned()
        self._world.routers = self._routers.best()
        self._rib.choose(candidates(self._config, self._world, now))
        self._installer.bring_about(self._rib.wanted(self._world.ports), ours)

    def _timeout(self, now: float) -> float:
        deadlines = [self._next_scan, self._learned.next_tick(), self._routers.next_tick()]
        if self._world.remnants:
            deadlines.append(self._remnants_end)
        return max(0.0, min(deadline for deadline in deadlines if deadline is not None) - now)

    def _wait(self, timeout: float) -> list[socket.socket]:
        with selectors.DefaultSelector() as selector:
            for source in (self._signals, self._events, *(listener.socket for listener in self._listeners)):
                if source is not None:
                    selector.register(source, selectors.EVENT_READ)
            return [
                key.fileobj for key, _ in selector.select(timeout) if isinstance(key.fileobj, socket.socket)
            ]

    def _answer(self, source: socket.socket, now: float) -> None:
        if source is self._signals:
            for number in self._signals.recv(64):
                self._signalled(signal.Signals(number), now)
        elif source is self._events:
            with contextlib.suppress(OSError):  # ENOBUFS too: only the fact of a change matters
                while self._events.recv(65536):
                    pass
        else:
            for listener in self._listeners:
                if listener.socket is source:
                    listener.receive(self._config, self._world.ports, now)

    def _signalled(self, number: signal.Signals, now: float) -> None:
        _log.info("%s", number.name)
        if number is signal.SIGINT:
            self._dump(now)
        elif number is signal.SIGHUP:
            self._reconfigure(now)
        elif number is signal.SIGTERM:
            self._ending = True
        elif number is signal.SIGUSR1:
            _log.setLevel(logging.WARNING if _log.isEnabledFor(logging.INFO) else logging.INFO)

    def _reconfigure(self, now: float) -> None:
        """Reload the file; an invalid one leaves the old configuration active."""
        try:
            config = load(self._place.conf, [port.name for port in self._world.ports])
        except ConfigError as fault:
            self._place.parse.write_text(f"{fault}\n", encoding="utf-8")
            _log.error("not reconfigured: %s", fault)
            return
        self._place.parse.unlink(missing_ok=True)
        self._config = config
        self._settle(now)
        _log.info("reconfigured")

    def _dump(self, now: float) -> None:
        """Write the dump atomically."""
        self._settle(now)
        head = [
            f"pid {os.getpid()}, started {self._began:%a %b %d %H:%M:%S %Y}, "
            f"dumped {datetime.now().astimezone():%a %b %d %H:%M:%S %Y}",
            f"configuration {self._place.conf}, timers x {self._choices.time_scale:g}"
            + ("" if self._choices.install else ", kernel not touched"),
        ]
        text = dump.render(self._rib.table, self._world.ports, time.monotonic(), head)
        temporary = self._place.dump.with_name(f".{self._place.dump.name}.{os.getpid()}")
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(self._place.dump)
