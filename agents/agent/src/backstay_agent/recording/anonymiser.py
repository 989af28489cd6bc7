"""Anonymises a recording: the same structure, without names, addresses and serial numbers of the site.

Kept: types, counters, states, speeds, numbers of ports and rows, sysObjectID, make and version in
descriptions, vendors in MAC addresses, names of ports. The mapping is random for each file and is not stored.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from random import Random
from typing import Literal

from backstay_agent.collectors.snmp.profiles import Identity, IndexPart
from backstay_agent.host.snmp import ber
from backstay_agent.host.snmp.values import Oid, Value
from backstay_agent.parsers import ipmib
from backstay_agent.recording import columns
from backstay_agent.recording.addresses import Address, AddressMap, Network, network_of
from backstay_agent.recording.names import NameMap
from backstay_agent.recording.snmprec import Record

Kept = Literal["names", "addresses"]
_DRAWS = 32
"""Random mappings that are tried: one is refused if a replacement equals another original."""
_DENSE = 2000
"""Addresses above which that cannot be avoided: where all of a range is in use, it is only permuted."""
_SHORTEST_NOTE = 6
"""Characters of a note that is replaced in other texts, too."""
_MAC, _PHYSICAL_PORT, _NETWORK = 4, 3, (5, 4)
"""LldpChassisIdSubtype and LldpPortIdSubtype macAddress; networkAddress of both."""
_ALIASES, _NAMED = (1,), (5,)
"""LldpPortIdSubtype interfaceAlias and interfaceName."""
_FAMILIES = {1: 4, 2: 16}
"""IANA address families, and their addresses' octets."""
_LETTERS = re.compile(r"[^\W\d_]+")
_PORT_TERMS = frozenset(
    """
    adapter ae agg aggregate as atm auto base bond br bridge bundle card cdp channel copper css dsl du e en
    ens enp eth ether ethernet et fa fast fastethernet fc fddi fei fiber fibre fi fo fourhundredgige fortygige
    forty ga ge gh ge gi gig gige gigabit gigabitethernet gs hippi hu hundredgige hundred hw ib if int
    interface intel ipmi lag lan lc link local lo loopback management me mge mgmt module mpls ms net network
    nic null p pc pci po port portchannel pos ppp pos ps qsfp rj serial sfp slot sonet stack sub subinterface
    svi swp switch switchport t te ten tengige tengigabit tengigabitethernet the to token trk trunk tu tun
    tunnel tw twe twentyfivegige twogige uplink unit veth virtual vlan vl vlanif vme wan wlan x xe xge
    xgigabitethernet
    """.split()  # noqa: SIM905 (a list literal of it fills a page)
)
"""Of texts about ports that say no more than a port's name does."""


class AnonymiseError(Exception):
    """No mapping hides every name; the message has the reason."""


@dataclass(frozen=True, slots=True)
class Anonymised:
    """The objects in the order of their OIDs, and the number of different things replaced."""

    records: Sequence[Record]
    names: int
    addresses: int
    macs: int


def anonymise(
    records: Iterable[Record], random: Random, *, keep: Collection[Kept] = (), secrets: Iterable[str] = ()
) -> Anonymised:
    """Replace names and addresses; `secrets` are further texts to be replaced everywhere.

    Raises AnonymiseError.
    """
    known = {record.oid: record for record in records}
    secrets = tuple(secrets)
    for draw in range(_DRAWS):
        anonymiser = _Anonymiser(known, random, keep, secrets)
        anonymiser.map_addresses()
        if draw < _DRAWS - 1 and anonymiser.must_redraw:
            continue
        found = anonymiser.records()
        if not anonymiser.names_left:
            return Anonymised(
                records=sorted(found),
                names=anonymiser.names.replaced,
                addresses=len(anonymiser.addresses.replaced),
                macs=len(anonymiser.addresses.macs),
            )
    raise AnonymiseError(f"{anonymiser.names_left} texts still have a name: leave it out with --keep names")


class _Anonymiser:
    """One random mapping of one recording."""

    def __init__(
        self, known: Mapping[Oid, Record], random: Random, keep: Collection[Kept], secrets: Iterable[str]
    ) -> None:
        self._known = known
        self._columns = {oid: columns.column_of(oid) for oid in known}
        self.addresses = AddressMap(random, self._networks(), keeps="addresses" in keep)
        self.names = NameMap(random, self.addresses, keeps="names" in keep)
        self.names_left = 0
        """Number of texts that still have a name."""
        self._collect(secrets)

    def _of(self, *identities: Identity) -> Iterator[tuple[Record, Oid]]:
        """The objects whose values have one of these identities, with their columns."""
        for oid, record in self._known.items():
            column = self._columns[oid]
            if columns.IDENTITIES.get(column) in identities:
                yield record, column

    def _networks(self) -> list[Network]:
        """The networks of all known masks and prefix lengths."""
        found: set[Network] = set()
        for record, column in self._of(Identity.MASK):
            masked = self._masked(record, column)
            if isinstance(record.value, bytes) and len(record.value) == 4 and masked is not None:
                host = int.from_bytes(record.value, "big") ^ 0xFFFFFFFF
                if not host & (host + 1):
                    found.add(network_of(masked, 32 - host.bit_length()))
        for record, column in self._of(Identity.ADDRESS_POINTER):
            address = ipmib.inet_address(record.oid[len(column) :])
            if address is not None and isinstance(record.value, tuple):
                length = record.value[-1] if record.value else 0
                if 0 < length <= address.max_prefixlen:
                    found.add(network_of(address, length))
        return sorted(found, key=str)

    def _masked(self, record: Record, column: Oid) -> IPv4Address | None:
        """The address that a mask belongs to."""
        index = record.oid[len(column) :]
        if columns.INDEXES.get(column) == IndexPart.IPV4:
            return IPv4Address(bytes(index)) if len(index) == 4 and max(index) < 256 else None
        before = self._known.get(_before(record.oid, column))
        if before is None or not isinstance(before.value, bytes) or len(before.value) != 4:
            return None
        return IPv4Address(before.value)

    def _collect(self, secrets: Iterable[str]) -> None:
        """Learn the names of ports, and the names that are replaced in all texts."""
        descriptions = [r for oid, r in self._known.items() if self._columns[oid] == columns.SYS_DESCR]
        ports = [r for oid, r in self._known.items() if self._columns[oid] in columns.PORT_NAMES]
        self.names.keep(text for record in ports if (text := _text(record.value)))
        for record in descriptions:
            self.names.add_uname(_text(record.value))
        for secret in secrets:
            self.names.add_host(secret)
        for record, column in self._of(*Identity):
            text, role = _text(record.value), self._role(record, column)
            if role == Identity.HOST:
                self.names.add_host(text)
            elif role == Identity.NOTE and len(text) >= _SHORTEST_NOTE and not self.names.is_port(text):
                self.names.add(text)

    def _role(self, record: Record, column: Oid) -> Identity:
        """The identity of a value; LLDP's identifiers have one by their subtype."""
        identity = columns.IDENTITIES.get(column, Identity.NOTHING)
        if identity not in (Identity.CHASSIS_ID, Identity.PORT_ID):
            return identity
        before = self._known.get(_before(record.oid, column))
        subtype = before.value if before is not None else None
        is_chassis = identity == Identity.CHASSIS_ID
        if subtype == (_MAC if is_chassis else _PHYSICAL_PORT) or not _is_text(record.value):
            return Identity.MAC
        if is_chassis:
            return Identity.HOST
        return Identity.NOTE if subtype in _ALIASES else Identity.PORT

    def map_addresses(self) -> None:
        """Draw the replacements of all addresses in indexes and in values of that type."""
        for record in self._known.values():
            self._oid(record.oid)
            if record.tag == ber.ADDRESS:
                self._value(record)

    @property
    def must_redraw(self) -> bool:
        """Whether another mapping should be tried because of its addresses."""
        return len(self.addresses.replaced) <= _DENSE and bool(self.addresses.remaining)

    def records(self) -> Iterator[Record]:
        """The anonymised objects."""
        for record in self._known.values():
            yield Record(self._oid(record.oid), record.tag, self._value(record))

    def _oid(self, oid: Oid) -> Oid:
        column = self._columns[oid]
        part = columns.INDEXES.get(column)
        if part is None:
            return oid
        index = oid[len(column) :]
        return (*column, *(self._mac_index(index) if part == IndexPart.MAC else self._ip_index(index, part)))

    def _mac_index(self, index: Oid) -> Oid:
        """An index that ends with a MAC address."""
        octets = index[-6:]
        if len(octets) < 6 or max(octets) > 255:
            return index
        return (*index[:-6], *self.addresses.mac(bytes(octets)))

    def _ip_index(self, index: Oid, part: IndexPart) -> Oid:
        """An index that ends with an address, with or without its type, and an InetAddress's zone."""
        if part == IndexPart.INET:
            for start in (0, 1):
                address = ipmib.inet_address(index[start:])
                if address is not None:
                    first = start + 2
                    return (
                        *index[:first],
                        *self.addresses.address(address).packed,
                        *index[first + len(address.packed) :],
                    )
        # A malformed index may have an address nevertheless.
        for length, kind in ((16, IPv6Address), (4, IPv4Address)):
            if len(index) >= length and max(index[-length:]) < 256:
                new = self.addresses.address(kind(bytes(index[-length:])))
                return (*index[:-length], *new.packed)
        return index

    def _value(self, record: Record) -> Value:
        column, value = self._columns[record.oid], record.value
        if isinstance(value, int):
            return value
        identity = self._role(record, column) if column in columns.IDENTITIES else None
        if isinstance(value, tuple):
            is_pointer = identity == Identity.ADDRESS_POINTER
            return self._pointer(value, record.oid[len(column) :]) if is_pointer else value
        if identity in (Identity.NOTHING, Identity.MASK):
            return value
        if identity == Identity.ADDRESS or record.tag == ber.ADDRESS:
            return self.addresses.address(IPv4Address(value)).packed if len(value) == 4 else value
        if identity == Identity.MAC:
            return self._link(record, column, value)
        return self._octets(value, identity)

    def _link(self, record: Record, column: Oid, value: bytes) -> bytes:
        """A link address; an LLDP identifier with the subtype networkAddress is a family and an address."""
        family = _FAMILIES.get(value[0], 0) if value else 0
        if columns.IDENTITIES[column] in (Identity.CHASSIS_ID, Identity.PORT_ID) and len(value) == 1 + family:
            before = self._known.get(_before(record.oid, column))
            if before is not None and before.value in _NETWORK:
                address = IPv4Address(value[1:]) if family == 4 else IPv6Address(value[1:])
                return value[:1] + self.addresses.address(address).packed
        return self.addresses.mac(value)

    def _octets(self, value: bytes, identity: Identity | None) -> bytes:
        """A text in its own encoding."""
        try:
            text, encoding = value.decode("utf-8"), "utf-8"
        except UnicodeDecodeError:
            text, encoding = value.decode("latin-1"), "latin-1"
        new = self._text(text, identity)
        self.names_left += bool(self.names.names_in(new))
        return new.encode(encoding)

    def _text(self, text: str, identity: Identity | None) -> str:
        is_name = identity in (Identity.HOST, Identity.NOTE)
        if is_name or (identity == Identity.PORT and not self._is_port_text(text)):
            return self.names.whole(text)
        return self.names.text(text)

    def _is_port_text(self, text: str) -> bool:
        """Whether a text about a port has only the words that names of ports have."""
        return self.names.is_port(text) or all(
            len(term) == 1 or term.lower() in _PORT_TERMS for term in _LETTERS.findall(text)
        )

    def _pointer(self, pointer: Oid, index: Oid) -> Oid:
        """An ipAddressPrefix: the prefix of the row's address, or another one."""
        start = len(ipmib.PREFIX_ENTRY) + 2
        if pointer[: len(ipmib.PREFIX_ENTRY)] != ipmib.PREFIX_ENTRY or len(pointer) <= start:
            return pointer
        prefix, own, length = ipmib.inet_address(pointer[start:-1]), ipmib.inet_address(index), pointer[-1]
        if prefix is None:
            return (*pointer[:start], *self._ip_index(pointer[start:-1], IndexPart.INET), length)
        new = self._prefix(prefix, own, length)
        first = start + 2
        return (*pointer[:first], *new.packed, *pointer[first + len(new.packed) :])

    def _prefix(self, prefix: Address, own: Address | None, length: int) -> Address:
        if own is not None and own.version == prefix.version and 0 < length <= own.max_prefixlen:
            network = network_of(own, length)
            if prefix in network:
                return network_of(self.addresses.address(own), length).network_address
        return self.addresses.address(prefix)


def _before(oid: Oid, column: Oid) -> Oid:
    """The object in the same row of the column before."""
    return (*column[:-1], column[-1] - 1, *oid[len(column) :])


def _text(value: Value) -> str:
    """Octets as a text, as they are read; empty for other values."""
    if not isinstance(value, bytes):
        return ""
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _is_text(value: Value) -> bool:
    return isinstance(value, bytes) and _text(value).rstrip("\0").isprintable()
