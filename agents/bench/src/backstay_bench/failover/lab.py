"""A node, two gateways on one port each, and a host behind both, in namespaces.

The host answers via the gateway of the requesting address, so that only the node's choice decides.
"""

import contextlib
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from backstay_testing.namespaces import Namespace, join, namespace

TARGET, PREFIX = "10.79.99.1", "10.79.99.0/24"
GATEWAYS = {"a": "10.79.1.1", "b": "10.79.2.1"}
PORTS = {"a": "pa", "b": "pb"}
_NFT, _SYSCTL = "/usr/sbin/nft", "/usr/sbin/sysctl"


@dataclass(frozen=True, slots=True)
class Lab:
    """The machines; gateways by name."""

    node: Namespace
    gateways: dict[str, Namespace]
    far: Namespace
    watched: ClassVar = ("all", *PORTS.values())
    """The sysctl that ignores routes without carrier."""

    def nft(self, space: Namespace, *statements: str) -> None:
        """Run nft(8) in a machine."""
        subprocess.run([*space.enter(), _NFT, "; ".join(statements)], check=True, capture_output=True)

    def sysctl(self, space: Namespace, *settings: str) -> None:
        """Set sysctl(8) values in a machine."""
        subprocess.run([*space.enter(), _SYSCTL, "-qw", *settings], check=True)

    def carrier(self, gateway: str, *, lost: bool) -> None:
        """Set the gateway's end of the link down or up."""
        self.gateways[gateway].run("link", "set", "in", "down" if lost else "up")

    def silent(self, gateway: str, *, lost: bool) -> None:
        """The link to the gateway drops everything in both directions but stays up."""
        if not lost:
            self.nft(self.gateways[gateway], "delete table netdev cut")
            return
        hooks = [
            f"add chain netdev cut {hook} {{ type filter hook {hook} device in priority 0; policy drop; }}"
            for hook in ("ingress", "egress")
        ]
        self.nft(self.gateways[gateway], "add table netdev cut", *hooks)

    def drop(self, gateway: str, *, lost: bool) -> None:
        """The gateway answers but does not forward."""
        if not lost:
            self.nft(self.gateways[gateway], "delete table ip cut")
            return
        hook = "add chain ip cut f { type filter hook forward priority 0; policy drop; }"
        self.nft(self.gateways[gateway], "add table ip cut", hook)

    @property
    def faults(self) -> dict[str, Callable[..., None]]:
        """Faults by name: call with the gateway and `lost=True`, later with `lost=False`."""
        return {"carrier": self.carrier, "silent": self.silent, "drop": self.drop}

    def answers(self) -> bool:
        """Whether the target answers the node."""
        asked = [*self.node.enter(), "/usr/bin/ping", "-q", "-c", "1", "-W", "1", TARGET]
        return subprocess.run(asked, capture_output=True, check=False).returncode == 0

    def routes(self) -> str:
        """The node's routes, from ip-route(8)."""
        asked = [*self.node.enter(), "/usr/sbin/ip", "route"]
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout

    def leader(self) -> str:
        """The node's active gateway; "" without one."""
        asked = [*self.node.enter(), "/usr/sbin/ip", "route", "get", TARGET]
        found = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
        return next((name for name, address in GATEWAYS.items() if f"via {address} " in found), "")


@contextlib.contextmanager
def lab() -> Iterator[Lab]:
    """The machines, up and forwarding; the node has no route to PREFIX yet."""
    with contextlib.ExitStack() as stack:
        node, first, second, far = (stack.enter_context(namespace()) for _ in range(4))
        built = Lab(node, {"a": first, "b": second}, far)
        _wire(built)
        yield built


def _wire(built: Lab) -> None:
    for number, (name, gateway) in enumerate(built.gateways.items(), 1):
        join(built.node, PORTS[name], gateway, "in")
        join(gateway, "out", built.far, f"d{name}")
        for space, port, address in (
            (built.node, PORTS[name], f"10.79.{number}.2/24"),
            (gateway, "in", f"{GATEWAYS[name]}/24"),
            (gateway, "out", f"10.79.{number + 2}.1/24"),
            (built.far, f"d{name}", f"10.79.{number + 2}.2/24"),
        ):
            space.run("address", "add", address, "dev", port)
        built.sysctl(gateway, "net.ipv4.ip_forward=1")
        gateway.run("route", "add", PREFIX, "via", f"10.79.{number + 2}.2")
        built.far.run("route", "add", f"10.79.{number}.0/24", "via", f"10.79.{number + 2}.1")
    built.far.run("address", "add", f"{TARGET}/32", "dev", "lo")
    built.sysctl(
        built.node, *(f"net.ipv4.conf.{port}.ignore_routes_with_linkdown=1" for port in built.watched)
    )
