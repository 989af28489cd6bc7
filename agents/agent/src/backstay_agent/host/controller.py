"""The controller's addresses, and the source address that the kernel would use for each now."""

import asyncio
import contextlib
import socket
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit

from backstay_wire import ControllerSession

_RESOLVE_S = 3.0
_MOST = 64
Address = IPv4Address | IPv6Address


async def addresses(backend: str) -> list[Address]:
    """The addresses of a base URL's host. Raises OSError if its name does not resolve within 3 s."""
    host = urlsplit(backend).hostname
    if not host:
        return []
    with contextlib.suppress(ValueError):
        return [ip_address(host)]
    async with asyncio.timeout(_RESOLVE_S):
        found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    known = {ip_address(str(item[4][0]).partition("%")[0]) for item in found}
    return sorted(known, key=lambda item: (item.version, int(item)))[:_MOST]


def session(address: Address) -> ControllerSession:
    """Connect a datagram socket, which asks the kernel for a route and sends nothing."""
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    with contextlib.closing(socket.socket(family, socket.SOCK_DGRAM)) as probe:
        try:
            probe.connect((str(address), 9))
        except OSError:
            return ControllerSession(address=address)
        return ControllerSession(address=address, source=ip_address(probe.getsockname()[0].partition("%")[0]))
