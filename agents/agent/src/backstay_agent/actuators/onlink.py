"""Dry run: whether each gateway is reachable by the ports and addresses, before anything is set."""

from ipaddress import ip_address, ip_network

from backstay_agent.actuators.actuator import RefusedError
from backstay_agent.host.kernel.host_state import HostState
from backstay_agent.host.kernel.port_rows import AddressRow
from backstay_wire import Hop, NodeRouting


def check(routing: NodeRouting, host: HostState) -> None:
    """Raises RefusedError for a hop whose port does not exist or whose gateway is on none of its networks."""
    for route in routing.routes:
        for hop in route.hops:
            why = _trouble(hop, host)
            if why:
                raise RefusedError(
                    f"{route.policy} {route.prefix}: gateway {hop.gateway} {hop.address} {why}"
                )


def _trouble(hop: Hop, host: HostState) -> str:
    if hop.port not in {link.name for link in host.links}:
        return f"is on port {hop.port}, which does not exist"
    own = [row for row in host.addresses if row.port == hop.port]
    if any(_octets(row, 2, 1) == hop.address.packed for row in host.addresses):
        return "is an address of this node itself"
    on_link = any(hop.address in ip_network((_octets(row, 1, 2), row.length), strict=False) for row in own)
    return "" if on_link or hop.address.is_link_local else f"is not on a network of port {hop.port}"


def _octets(row: AddressRow, *kinds: int) -> bytes:
    """IFA_ADDRESS (1) is the network's or the peer's address, IFA_LOCAL (2) our own."""
    inner = dict(row.attributes)
    return ip_address(bytes.fromhex(next(inner[kind] for kind in kinds if kind in inner))).packed
