"""Replaces names consistently within one recording, and finds further names and addresses in free text.

A replacement has the shape of what it replaces: letters for letters, digits for digits, all else unchanged.
So lengths, blanks and non-ASCII letters, which are often why a text is misread, remain. The host part of a
name is replaced alike with and without its domain, in upper and lower case.
"""

import contextlib
import re
from collections.abc import Iterable, Iterator
from ipaddress import ip_address
from random import Random
from typing import NamedTuple

from backstay_agent.recording.addresses import Address, AddressMap

_SHORTEST, _ANYWHERE = 3, 4
"""Characters of a name that is replaced in other texts: as a whole word, and also within words."""
_COMMON = frozenset(
    """
    aix arista brocade cisco cumulus default dell disabled edgeos enabled ethernet fortinet frr gateway
    hewlett hippi hp host huawei ibm interface irix juniper linux local localhost localdomain lan mikrotik n/a
    netgear netstar none null openwrt port private public router routeros server snmp snmpd solaris sun switch
    test ubnt unknown unset vyos zyxel
    """.split()  # noqa: SIM905 (a list literal of it fills a page)
)
"""Makes and defaults of their devices: these identify nobody."""
_LATIN, _GREEK = "àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþ", "αβγδεζηθικλμνξοπρστυφχψω"
_ATTEMPTS = 50
_ENDS = " \t\r\n\0"
"""Not part of a name; some agents end texts with NUL."""

_FOUR = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w]|\.\d)")
_SIX = re.compile(r"(?<![\w:.])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?:\.\d+){0,3}(?![\w:])")
_MAC = re.compile(
    r"(?<![\w:.-])(?:[0-9A-Fa-f]{2}(?P<by>[:-])(?:[0-9A-Fa-f]{2}(?P=by)){4}[0-9A-Fa-f]{2}"
    r"|(?:[0-9A-Fa-f]{4}[.-]){2}[0-9A-Fa-f]{4}|[0-9A-Fa-f]{12})(?![\w:-])"
)
_VERSION = re.compile(
    r"(?:\b|_)(?:version|ver\.?|v|release|rel\.?|revision|rev\.?|firmware|f/w|software|os|image|kernel|build"
    r"|bios|boot\w*|prom|routeros)[\s:=(,v-]*$",
    re.IGNORECASE,
)
"""Before four numbers that are a version, not an address."""
_DOMAIN = re.compile(r"(?<![\w.@-])(?:[\w-]*[A-Za-z][\w-]*\.){2,}[A-Za-z]{2,}(?![\w-])", re.ASCII)
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*")
_LABELLED = re.compile(
    r"\b(?:serial\s+(?:number|num|no\.?|nr\.?)|s/n|(?:processor|machine|system)\s+id|uuid|service\s+tag|asset\s+tag"
    r"|host\s?name|(?:serial|sn|label)(?=\s*[:=#]))\s*[:=#]?\s*(?P<value>[\w.:/-]*\w)",
    re.IGNORECASE,
)
_MOUNT = re.compile(r"^(?P<value>[\w.-]{2,}):/")
"""A file system of another host."""
_UNAME = re.compile(
    r"^(?:Linux|FreeBSD|NetBSD|OpenBSD|DragonFly|Darwin|SunOS|AIX|IRIX(?:64)?|HP-UX|OSF1|GNU)\s+(\S+)\s+\S*\d"
)
"""The second field of uname(1), which many agents return as sysDescr, is the host's name."""


class Replaced(NamedTuple):
    """A part of a text, and its replacement."""

    start: int
    end: int
    replacement: str


def _folded(text: str) -> str:
    """In lower case, character by character: the length stays."""
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)


class NameMap:
    """The replacements of one recording."""

    def __init__(self, random: Random, addresses: AddressMap, *, keeps: bool = False) -> None:
        """`keeps`: replace addresses, and nothing else."""
        self._random = random
        self._addresses = addresses
        self._keeps = keeps
        self._pseudonyms: dict[str, str] = {}
        self._used: set[str] = set()
        self._names: dict[str, list[str]] = {}
        """Names to be replaced in all texts, the longest first, by their first characters."""
        self._kept: frozenset[str] = frozenset()

    def keep(self, texts: Iterable[str]) -> None:
        """Texts that are not names where they are the whole value: the names of ports."""
        self._kept = frozenset(_folded(text) for text in texts)

    def is_port(self, text: str) -> bool:
        """Whether the text is the name of a port."""
        return _folded(text) in self._kept

    def add_host(self, text: str) -> None:
        """A host's name: its first label and its domain are replaced in all texts."""
        label, _, domain = text.strip(_ENDS).partition(".")
        if ip_of(text.strip(_ENDS)) is None:
            self.add(label)
            self.add(domain)

    def add_uname(self, description: str) -> None:
        """The host's name in a description by uname(1)."""
        found = _UNAME.match(description)
        if found:
            self.add_host(found[1])

    def add(self, text: str) -> None:
        """A text that is replaced in all texts, if it is long enough."""
        name = _folded(text.strip(_ENDS))
        if self._keeps or len(name) < _SHORTEST or name in _COMMON or not any(map(str.isalpha, name)):
            return
        names = self._names.setdefault(name[:_SHORTEST], [])
        if name not in names:
            names.append(name)
            names.sort(key=len, reverse=True)

    @property
    def replaced(self) -> int:
        """Number of different names that were replaced."""
        return len(self._pseudonyms)

    def whole(self, text: str) -> str:
        """The replacement of a text that is a name as a whole."""
        if self._keeps or _folded(text.strip(_ENDS)) in _COMMON or self.is_port(text):
            return self.text(text)
        for found in self._addresses_in(text):
            if (found.start, found.end) == (0, len(text)):
                return found.replacement
        label, dot, domain = text.partition(".")
        return self._alike(label) + dot + (self._alike(domain) if domain else "")

    def text(self, text: str) -> str:
        """Free text with its names and addresses replaced."""
        out, place = [], 0
        for found in sorted(self._found_in(text), key=lambda found: (found.start, -found.end)):
            if found.start >= place:
                out += [text[place : found.start], found.replacement]
                place = found.end
        return "".join(out) + text[place:]

    def names_in(self, text: str) -> list[str]:
        """The names that occur in a text."""
        return [text[start:end] for start, end in self._occurrences(text)]

    def _found_in(self, text: str) -> Iterator[Replaced]:
        yield from self._addresses_in(text)
        patterns = (_LABELLED,) if self._keeps else (_LABELLED, _MOUNT)
        for pattern in patterns:
            for found in pattern.finditer(text):
                if _folded(found["value"]) not in _COMMON:
                    yield Replaced(found.start("value"), found.end("value"), self._parts(found["value"]))
        if self._keeps:
            return
        for start, end in self._occurrences(text):
            yield Replaced(start, end, self._alike(text[start:end]))
        for pattern in (_MAIL, _DOMAIN):
            for found in pattern.finditer(text):
                yield Replaced(found.start(), found.end(), self._parts(found[0]))

    def _parts(self, text: str) -> str:
        """A name with a domain: its first label like that label alone."""
        return "".join(self._alike(part) if part not in ("@", ".") else part for part in _split(text))

    def _occurrences(self, text: str) -> Iterator[tuple[int, int]]:
        folded, place = _folded(text), 0
        while place < len(folded):
            end = self._match(folded, place)
            if end:
                yield place, end
            place = end or place + 1

    def _match(self, folded: str, place: int) -> int:
        """The end of the longest name at a place; 0: none."""
        for name in self._names.get(folded[place : place + _SHORTEST], ()):
            end = place + len(name)
            if folded.startswith(name, place) and (len(name) >= _ANYWHERE or _is_alone(folded, place, end)):
                return end
        return 0

    def _addresses_in(self, text: str) -> Iterator[Replaced]:
        for found in _MAC.finditer(text):
            octets = bytes.fromhex(re.sub(r"[^0-9A-Fa-f]", "", found[0]))
            if any(char in ":.-" for char in found[0]) or octets in self._addresses.macs:
                new = iter(self._addresses.mac(octets).hex())
                shape = "".join(next(new) if char.isalnum() else char for char in found[0])
                upper = found[0].upper() == found[0]
                yield Replaced(found.start(), found.end(), shape.upper() if upper else shape)
        for found in _SIX.finditer(text):
            yield from self._address_in(found)
        for found in _FOUR.finditer(text):
            known = ip_of(found[0])
            if known in self._addresses.replaced or not _VERSION.search(text, 0, found.start()):
                yield from self._address_in(found)

    def _address_in(self, found: re.Match[str]) -> Iterator[Replaced]:
        address = ip_of(found[0])
        if address is not None:
            yield Replaced(found.start(), found.end(), str(self._addresses.address(address)))

    def _alike(self, text: str) -> str:
        """A text of the same shape, the same for the same text in any case."""
        key = _folded(text)
        if key not in self._pseudonyms:
            for _ in range(_ATTEMPTS):
                new = "".join(map(self._other, key))
                if new not in self._used and not any(True for _ in self._occurrences(new)):
                    break
            self._pseudonyms[key] = new
            self._used.add(new)
        pairs = zip(text, self._pseudonyms[key], strict=True)
        return "".join(_cased(old, new) for old, new in pairs)

    def _other(self, char: str) -> str:
        """Another character of the same kind and of as many octets in UTF-8."""
        alphabet = _alphabet(char)
        others = alphabet.replace(char, "")
        return self._random.choice(others) if others else char


def _alphabet(char: str) -> str:
    if char.isascii():
        return "abcdefghijklmnopqrstuvwxyz" if char.isalpha() else "0123456789" if char.isdigit() else ""
    if not char.isalpha():
        return ""
    return _LATIN if ord(char) < 0x100 else _GREEK if ord(char) < 0x800 else _wide(char)


def _wide(char: str) -> str:
    first = 0x4E00 if ord(char) < 0x10000 else 0x20000
    return "".join(map(chr, range(first, first + 256)))


def _cased(old: str, new: str) -> str:
    upper = new.upper()
    return upper if old.isupper() and len(upper) == 1 else new


def _is_alone(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    return not before.isalnum() and not after.isalnum()


def _split(text: str) -> list[str]:
    """`user@host.domain` as user, @, host, ., domain."""
    user, at, host = text.rpartition("@")
    label, dot, domain = host.partition(".")
    return [part for part in (user, at, label, dot, domain) if part]


def ip_of(text: str) -> Address | None:
    """The text as an address; None if it is none."""
    with contextlib.suppress(ValueError):
        return ip_address(text)
    return None
