"""Replaces addresses consistently within one recording.

IPv4 and IPv6 addresses: two addresses share exactly as many leading bits afterwards as before, so subnets,
gateways and neighbours still match. A bit is flipped or not by the bits before it alone. Three rules restrict
the flips: well-known addresses stay; a private address stays private; the part of an IPv4 address behind a
known mask stays, as long as a bit before it is flipped. The first bit that may be flipped always is, so that
no other address stays.

MAC addresses: the vendor's part (OUI) stays, the rest is random. An interface identifier made of a MAC
address (RFC 4291, appendix A) is made of its replacement.
"""

from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network
from random import Random

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_KEPT = [IPv4Network(net) for net in ("0.0.0.0/8", "127.0.0.0/8", "224.0.0.0/3")]
_RANGES = [
    IPv4Network(net)
    for net in ("10.0.0.0/8", "100.64.0.0/10", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16")
]
_GLOBAL, _LINK_LOCAL = IPv6Network("2000::/3"), IPv6Network("fe80::/64")
_EUI = b"\xff\xfe"
_IDENTIFIER = 64
"""Bits of an interface identifier."""
_LOCAL, _GROUP = 0x02, 0x01
"""Bits of a MAC address's first octet: administered locally, so without an OUI; a group's address."""
_OUI = 3
_IPOIB, _IPOIB_GUID = 20, 12
"""Octets of an IPoIB link address (RFC 4391): queue pair, subnet prefix, then the port's GUID."""
_ATTEMPTS = 100
_KEY, _COINS = 32, 32
"""Octets of the key, and of the coins of one octet: its bits are a tree of 255 nodes."""
_CACHED = 4096


def _bits(octets: bytes) -> str:
    return f"{int.from_bytes(octets, 'big'):0{8 * len(octets)}b}"


def _prefix(network: Network) -> str:
    return _bits(network.network_address.packed)[: network.prefixlen]


_KEPT_BITS = [_prefix(network) for network in _KEPT]
_RANGE_BITS = [_prefix(network) for network in (*_KEPT, *_RANGES)]
_ANCESTORS = {bits[:length] for bits in _RANGE_BITS for length in range(len(bits))}
"""A flip behind one of these would lead into or out of a range."""


class AddressMap:
    """The replacements of one recording."""

    def __init__(self, random: Random, networks: Iterable[Network] = (), *, keeps: bool = False) -> None:
        """`networks`: the known subnets. `keeps`: replace nothing."""
        self._random = random
        self._keeps = keeps
        key = random.randbytes(_KEY)
        self._coins = lru_cache(_CACHED)(lambda before: _coins(key, before))
        known = [network for network in networks if network.prefixlen > 0]
        self._hosts = {_prefix(network) for network in known if network.version == 4}
        self._long = {
            _prefix(network) for network in known if network.version == 6 and network.prefixlen > _IDENTIFIER
        }
        self._long_lengths = {len(bits) for bits in self._long}
        self._macs: dict[bytes, bytes] = {}
        self._used: set[bytes] = set()
        self._found: dict[Address, Address] = {}

    @property
    def replaced(self) -> dict[Address, Address]:
        """Every address replaced so far, with its replacement."""
        return {old: new for old, new in self._found.items() if old != new}

    @property
    def remaining(self) -> set[Address]:
        """Replacements that equal another replaced address."""
        replaced = self.replaced
        return set(replaced) & set(replaced.values())

    def address(self, address: Address) -> Address:
        """The replacement of an address."""
        if self._keeps:
            return address
        if address not in self._found:
            self._found[address] = self._four(address) if address.version == 4 else self._six(address)
        return self._found[address]

    def is_kept(self, address: Address) -> bool:
        """Whether the rules leave the address as it is."""
        return self.address(address) == address

    def _four(self, address: IPv4Address) -> IPv4Address:
        bits = _bits(address.packed)
        if any(bits.startswith(kept) for kept in _KEPT_BITS):
            return address
        out, in_host, has_free = "", False, False
        for place, bit in enumerate(bits):
            before = bits[:place]
            in_host = in_host or (has_free and before in self._hosts)
            is_free = not in_host and before not in _ANCESTORS
            flips = is_free and (not has_free or self._flips("4", before))
            out += "10"[int(bit)] if flips else bit
            has_free = has_free or is_free
        return IPv4Address(int(out, 2))

    def _six(self, address: IPv6Address) -> IPv6Address:
        packed = address.packed
        embedded = self._embedded(address)
        if embedded is not None:
            return IPv6Address(packed[:12] + self._four(embedded).packed)
        if packed[0] == 0xFF or packed[:12] == bytes(12):
            return address
        bits, kept = _bits(packed), _kept_bits(address)
        is_long = any(bits[:length] in self._long for length in self._long_lengths)
        is_eui = packed[11:13] == _EUI and not is_long
        out, has_free = bits[:kept], False
        for place in range(kept, _IDENTIFIER if is_eui else len(bits)):
            # Leading zeros of an interface identifier stay: ::1 is not changed within its subnet.
            is_free = place < _IDENTIFIER or "1" in bits[_IDENTIFIER:place]
            flips = is_free and (not has_free or self._flips("6", bits[:place]))
            out += "10"[int(bits[place])] if flips else bits[place]
            has_free = has_free or is_free
        if is_eui:
            out += _bits(self._eui(packed[8:]))
        return IPv6Address(int(out, 2))

    @staticmethod
    def _embedded(address: IPv6Address) -> IPv4Address | None:
        """The IPv4 address in a mapped or compatible one (RFC 4291, section 2.5.5)."""
        if address.ipv4_mapped is not None:
            return address.ipv4_mapped
        number = int(address)
        return IPv4Address(number) if 0xFFFF < number < 1 << 32 else None

    def _eui(self, identifier: bytes) -> bytes:
        mac = bytes((identifier[0] ^ _LOCAL, *identifier[1:3], *identifier[5:]))
        new = self.mac(mac)
        return bytes((new[0] ^ _LOCAL, *new[1:3])) + _EUI + new[3:]

    def _flips(self, version: str, before: str) -> bool:
        """Whether the bit behind the bits `before` is flipped: a coin of the file's random key."""
        whole = len(before) // 8 * 8
        node = int(f"1{before[whole:]}", 2)
        return bool(self._coins(version + before[:whole]) >> node & 1)

    def mac(self, mac: bytes) -> bytes:
        """The replacement of a link address of any length; empty, zero and group addresses stay."""
        if self._keeps or not any(mac) or (len(mac) == 6 and mac[0] & _GROUP):
            return mac
        if mac not in self._macs:
            self._macs[mac] = self._other(mac)
            self._used.add(self._macs[mac])
        return self._macs[mac]

    @property
    def macs(self) -> dict[bytes, bytes]:
        """Every link address replaced so far, with its replacement."""
        return {old: new for old, new in self._macs.items() if old != new}

    def _other(self, mac: bytes) -> bytes:
        start = _IPOIB_GUID + _OUI if len(mac) == _IPOIB else 1 if mac[0] & _LOCAL else _OUI
        start = min(start, len(mac) - 1)
        for _ in range(_ATTEMPTS):
            new = mac[:start] + self._random.randbytes(len(mac) - start)
            if new not in self._used and new not in self._macs and new != mac and any(new):
                return new
        return new


def _coins(key: bytes, before: str) -> int:
    """The coins of the octet behind `before`, one bit for each node of its tree."""
    return int.from_bytes(blake2b(before.encode(), key=key, digest_size=_COINS).digest(), "big")


def _kept_bits(address: IPv6Address) -> int:
    """Leading bits that identify the kind of address."""
    if address in _GLOBAL:
        return _GLOBAL.prefixlen
    return _IDENTIFIER if address in _LINK_LOCAL else 10 if address.is_link_local else 8


def network_of(address: Address, length: int) -> Network:
    """The network of an address."""
    return ip_network((address, length), strict=False)
