"""Keeps the kernel's routes as the table wants them: new ones first, then those that are over go."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from ipaddress import IPv4Network

from backstay_lab.labgated import netlink
from backstay_lab.labgated.netlink import Netlink
from backstay_lab.labgated.values import KernelRoute

_log = logging.getLogger("labgated")


class Installer:
    """Knows which of the kernel's routes are ours by their protocol, and remembers nothing."""

    def __init__(self, kernel: Netlink, *, install: bool) -> None:
        self._kernel = kernel
        self._install = install

    def found(self) -> tuple[list[KernelRoute], list[KernelRoute]]:
        """(routes of gated, routes of others) that are in the kernel now. Raises OSError."""
        routes = self._kernel.routes()
        ours = [route for protocol, route in routes if protocol == netlink.GATED]
        others = [route for protocol, route in routes if protocol not in {netlink.GATED, netlink.KERNEL}]
        return ours, others

    def bring_about(self, wanted: Mapping[IPv4Network, KernelRoute], ours: Collection[KernelRoute]) -> None:
        """Make our routes the wanted ones."""
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
            # A gateway that the kernel thinks unreachable; the next look tries again.
            _log.warning("KRT %s %s by %s: %s", what, route.prefix, route.gateway, error)

    def flush(self, kept: Collection[IPv4Network]) -> None:
        """Take our routes away but these."""
        if self._install:
            for route in self.found()[0]:
                if route.prefix not in kept:
                    self._try("remove", route)
