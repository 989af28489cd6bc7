"""Which addresses a channel may reach: values and checks of one connection, without any request.

People configure channels, and what they configure makes this machine connect. So an address is checked where
it is used, at the connection, after the only resolution of its name (OWASP: server-side request forgery).
"""

from __future__ import annotations

import ipaddress
import json
import socket
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
MAX_URL = 2_000
_SHARED = ipaddress.ip_network("100.64.0.0/10")
"""Behind a carrier's NAT (RFC 6598): neither private nor global for `ipaddress`."""
_THIS_NETWORK = ipaddress.ip_network("0.0.0.0/8")
"""RFC 1122: "this" host or network; Linux connects 0.0.0.0 to itself."""
_BROADCAST = ipaddress.ip_address("255.255.255.255")
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_LOCAL_NAT64 = ipaddress.ip_network("64:ff9b:1::/48")
"""RFC 8215: where the IPv4 address is in it depends on the translator."""
_COMPATIBLE = ipaddress.ip_network("::/96")
_ISATAP = frozenset({0x5EFE, 0x02005EFE})
"""RFC 5214: the upper half of an interface identifier whose lower half is an IPv4 address."""


@dataclass(frozen=True, slots=True)
class DestinationPolicy:
    """What may be reached. `own`: (address, port) of this system's servers, which no network allows."""

    allowed: tuple[Network, ...] = ()
    """Networks that may be reached although they are loopback, link-local or private."""
    refuses_private: bool = False
    own: tuple[tuple[str, int], ...] = ()

    def refusal(self, address: str, port: int) -> str:
        """Why the address must not be connected to, as a predicate; empty: it may be."""
        try:
            ip = ipaddress.ip_address(address.partition("%")[0])
        except ValueError:
            return "is not an address"
        forms = (ip, *embedded(ip))
        if any(self._is_own(one, port) for one in forms):
            return "is a server of Backstay itself"
        if any(one in network for one in forms for network in self.allowed):
            return ""
        return next((why for one in forms if (why := self._refused(one))), "")

    def _refused(self, ip: Address) -> str:
        if isinstance(ip, ipaddress.IPv6Address) and (ip.ipv4_mapped is not None or ip in _NAT64):
            return ""  # What it embeds decides.
        kinds = {
            "is a loopback address": ip.is_loopback or ip in _THIS_NETWORK or ip.is_unspecified,
            "is a link-local address": ip.is_link_local,
            "is a multicast or broadcast address": ip.is_multicast or ip == _BROADCAST,
            "is a reserved address": ip.is_reserved or ip in _LOCAL_NAT64,
            "is a private address": self.refuses_private and (not ip.is_global or ip in _SHARED),
        }
        found = next((why for why, is_so in kinds.items() if is_so), "")
        return found or ("is an address of this machine" if is_local(str(ip)) else "")

    def _is_own(self, ip: Address, port: int) -> bool:
        ports = [ipaddress.ip_address(address) for address, known in self.own if known == port]
        is_here = any(one.is_loopback or one.is_unspecified or is_local(str(one)) for one in ports)
        return ip in ports or (is_here and (ip.is_loopback or ip.is_unspecified or is_local(str(ip))))

    def to_json(self) -> str:
        """For another process."""
        allowed = [str(network) for network in self.allowed]
        return json.dumps({"allowed": allowed, "refuses_private": self.refuses_private, "own": self.own})

    @classmethod
    def from_json(cls, text: str) -> DestinationPolicy:
        """What `to_json` wrote."""
        values = json.loads(text)
        return cls(
            tuple(ipaddress.ip_network(network) for network in values["allowed"]),
            bool(values["refuses_private"]),
            tuple((str(address), int(port)) for address, port in values["own"]),
        )


def embedded(ip: Address) -> tuple[Address, ...]:
    """The IPv4 addresses that packets to an IPv6 address may reach by translation or in a tunnel."""
    if isinstance(ip, ipaddress.IPv4Address):
        return ()
    low = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
    found: list[Address] = [one for one in (ip.ipv4_mapped, ip.sixtofour) if one is not None]
    found += [] if ip.teredo is None else [ip.teredo[1]]
    if ip in _NAT64 or (ip in _COMPATIBLE and int(ip) > 1) or (int(ip) >> 32) & 0xFFFFFFFF in _ISATAP:
        found.append(low)
    return tuple(found)


def is_local(address: str) -> bool:
    """Whether the address is one of this machine: only such an address can be bound."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((address, 0))
    except OSError:
        return False
    return True


def web_url(text: str) -> str:
    """The URL, if it is one of http or https that all programs read alike. ValueError says what is wrong."""
    return split_url(text).geturl()


def split_url(text: str) -> SplitResult:
    """The parts of a valid URL; its host is in lower case. ValueError says what is wrong."""
    if len(text) > MAX_URL or not text.isascii() or any(one <= " " or one == "\x7f" for one in text):
        raise ValueError(f"Expected a URL of at most {MAX_URL} ASCII characters without spaces.")
    parts = urlsplit(text)
    if parts.scheme not in {"http", "https"}:
        raise ValueError("Expected a URL that begins with https:// or http://.")
    if parts.username is not None or parts.password is not None or "\\" in parts.netloc:
        raise ValueError("The URL must not contain a user, a password or a backslash before its path.")
    if parts.port == 0 or not parts.hostname:
        raise ValueError("The URL has no host, or port 0.")
    check_host(parts.hostname)
    return parts


def check_host(host: str) -> str:
    """A host name or canonical address. ValueError: for others, programs disagree about the address."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        pass
    else:
        return host
    labels = host.removesuffix(".").split(".")
    if not all(label and len(label) <= 63 for label in labels) or len(host) > 253:
        raise ValueError("The host is neither a name nor an address.")
    if not all(one.isascii() and (one.isalnum() or one in "-_") for label in labels for one in label):
        raise ValueError("The host is neither a name nor an address.")
    if labels[-1][0].isdigit():
        # inet_aton(3) reads 127.1, 0177.0.0.1, 2130706433 and 0x7f000001 as 127.0.0.1.
        raise ValueError("Write an IPv4 address as four decimal numbers.")
    return host
