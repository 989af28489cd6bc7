"""What somebody types to find an object: words, or an IP address, a prefix or a hardware address."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_interface, ip_network

from backstay.core.model.hardware import spelled

MOST_TERMS = 8
"""Further words are ignored."""
_START_OF_IPV4 = re.compile(r"\d{1,3}(?:\.\d{1,3}){1,2}\.?")
_PLAIN_MAC = re.compile(r"[0-9a-f]{12}")
_SPELLED_MAC = re.compile(r"[0-9a-f]{2}(?::[0-9a-f]{2}){2,}")


@dataclass(frozen=True, slots=True)
class SearchText:
    """A parsed search."""

    text: str
    terms: tuple[str, ...]
    """In lower case; an object matches if it contains all of them."""
    network: IPv4Network | IPv6Network | None
    """Addresses to find; one address has the full prefix length. None: no address was typed."""
    mac: str
    """First octets of a hardware address, as `spelled`; empty: none was typed."""


def parse(text: str) -> SearchText:
    """A search; a text that is neither address nor prefix is a list of words."""
    plain = " ".join(text.split())
    mac = _mac(plain)
    # Texts contain a hardware address as a whole: no index has two digits of it.
    between = r"\s+" if mac else r"[\s:]+"
    terms = tuple(term for term in re.split(between, plain.casefold()) if term)[:MOST_TERMS]
    return SearchText(plain, terms, _network(plain), mac)


def _network(text: str) -> IPv4Network | IPv6Network | None:
    """`10.1.0.7`, `10.1.0.7/24` (that address), `10.1.0.0/24`, `10.1.`, `[FE80::1]`, `fe80::1%eth0`."""
    bare = re.sub(r"%[^/]*", "", text.strip("[]"))
    if _START_OF_IPV4.fullmatch(bare):
        octets = bare.rstrip(".").split(".")
        bare = ".".join([*octets, *["0"] * (4 - len(octets))]) + f"/{8 * len(octets)}"
    if "." not in bare and ":" not in bare:
        return None  # A number alone is a name.
    try:
        written = ip_interface(bare)
    except ValueError:
        return None
    # With the length of its network, as a port has it: host bits distinguish an address from a prefix.
    return written.network if written.ip == written.network.network_address else ip_network(written.ip)


def _mac(text: str) -> str:
    lowered = text.casefold()
    if _PLAIN_MAC.fullmatch(lowered):
        return ":".join(lowered[at : at + 2] for at in range(0, 12, 2))
    found = spelled(text)
    return found if _SPELLED_MAC.fullmatch(found) else ""
