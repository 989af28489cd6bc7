"""The client's address, also behind reverse proxies.

A proxy appends the address that it saw to X-Forwarded-For: our own proxies write the header's right end, the
client may write the rest. The client is the right-most address that is not a trusted proxy's
(`BACKSTAY_TRUSTED_PROXIES`); without trusted proxies the header is ignored.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

from django.conf import settings
from django.http import HttpRequest

IPV6_PREFIX = 64
"""One IPv6 host usually has a whole /64 (RFC 6177): it counts as one address."""
UNKNOWN = "unknown"
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def address_of(request: HttpRequest) -> str:
    """The client's address; an IPv6 client's /64."""
    peer = str(request.META.get("REMOTE_ADDR", ""))
    return client_address(peer, str(request.META.get("HTTP_X_FORWARDED_FOR", "")), settings.TRUSTED_PROXIES)


def client_address(peer: str, forwarded: str, trusted: Sequence[Network]) -> str:
    """The client's address from the connection's peer and the X-Forwarded-For header."""
    chain = [*forwarded.split(","), peer]
    address: Address | None = None
    for text in reversed(chain):
        following = _parsed(text)
        if following is None:
            break
        address = following
        if not any(address in network for network in trusted):
            break
    return UNKNOWN if address is None else _grouped(address)


def _parsed(text: str) -> Address | None:
    try:
        address = ipaddress.ip_address(text.strip())
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def _grouped(address: Address) -> str:
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    return str(ipaddress.ip_network((address, IPV6_PREFIX), strict=False))
