"""Prefix lookup by covering prefix, as in a router: one hash lookup per prefix length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from ipaddress import IPv4Address, IPv6Address
from typing import Generic, TypeVar

from backstay.core.model.routing import Address, Prefix

T = TypeVar("T")


class PrefixTable(Generic[T]):
    """Values by prefix; several values per prefix are allowed."""

    def __init__(self, entries: Iterable[tuple[Prefix, T]] = ()) -> None:
        self._lengths: dict[tuple[int, int], dict[int, list[T]]] = {}
        for prefix, value in entries:
            shift = prefix.max_prefixlen - prefix.prefixlen
            table = self._lengths.setdefault((prefix.version, prefix.prefixlen), {})
            table.setdefault(int(prefix.network_address) >> shift, []).append(value)
        self._order = sorted(self._lengths, reverse=True)

    def covering(self, wanted: Address | Prefix) -> Iterator[list[T]]:
        """Values of each prefix that covers the address or network, the most specific first."""
        if isinstance(wanted, IPv4Address | IPv6Address):
            number, most = int(wanted), int(wanted.max_prefixlen)
        else:
            number, most = int(wanted.network_address), wanted.prefixlen
        for version, length in self._order:
            if version == wanted.version and length <= most:
                found = self._lengths[version, length].get(number >> (wanted.max_prefixlen - length))
                if found:
                    yield found
