"""Reads tokens one by one, and says on which line it found what it did not want."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from ipaddress import IPv4Address, IPv4Network
from typing import NoReturn

from backstay_lab.labgated.conf.tokens import SyntaxFault, Token

MARKS = frozenset("{};")


class Cursor:
    """A place between two tokens."""

    def __init__(self, tokens: Iterable[Token], name: str) -> None:
        self._tokens = list(tokens)
        self._place = 0
        self._name = name

    @property
    def line(self) -> int:
        """Of the token that comes next; of the last one at the end."""
        token = self._token() or (self._tokens[-1] if self._tokens else None)
        return token.line if token else 1

    def _token(self) -> Token | None:
        return self._tokens[self._place] if self._place < len(self._tokens) else None

    def at_end(self) -> bool:
        """Whether nothing is left."""
        return self._token() is None

    def peek(self) -> str:
        """The next word or mark; empty at the end and before a quoted string."""
        token = self._token()
        return "" if token is None or token.quoted else token.text

    def fail(self, wanted: str) -> NoReturn:
        """Raises SyntaxFault for the token that comes next."""
        token = self._token()
        if token is None:
            last = self._tokens[-1] if self._tokens else Token("", self._name, 1)
            raise SyntaxFault(last.file, last.line, f"syntax error at the end of the file: {wanted}")
        raise SyntaxFault(token.file, token.line, f"syntax error at '{token.text}': {wanted}")

    def word(self, wanted: str = "a word should stand here") -> str:
        """Take a word."""
        text = self.peek()
        if not text or text in MARKS:
            self.fail(wanted)
        self._place += 1
        return text

    def one_of(self, *words: str) -> str:
        """Take one of these words."""
        if self.peek() not in words:
            self.fail(f"{' or '.join(words)} should stand here")
        return self.word()

    def take(self, *words: str) -> str:
        """Take the next word if it is one of these; else empty."""
        return self.word() if self.peek() in words else ""

    def mark(self, mark: str) -> None:
        """Take `{`, `}` or `;`."""
        if self.peek() != mark:
            self.fail(f"'{mark}' should stand here")
        self._place += 1

    def end(self) -> None:
        """Take the `;` of a statement."""
        self.mark(";")

    def has_body(self) -> bool:
        """Whether `{` comes next."""
        return self.peek() == "{"

    def quoted(self) -> str:
        """Take a quoted string."""
        token = self._token()
        if token is None or not token.quoted:
            self.fail("a quoted string should stand here")
        self._place += 1
        return token.text

    def quoted_next(self) -> bool:
        """Whether a quoted string comes next."""
        token = self._token()
        return token is not None and token.quoted

    def number(self, low: int, high: int) -> int:
        """Take a whole number between these, both included."""
        text = self.peek()
        if not re.fullmatch(r"\d{1,10}", text) or not low <= int(text) <= high:
            self.fail(f"a number from {low} to {high} should stand here")
        return int(self.word())

    def preference(self) -> int:
        """Take a preference."""
        return self.number(0, 255)

    def is_address(self) -> bool:
        """Whether an IPv4 address comes next, be it without its trailing zero octets."""
        return padded(self.peek()) is not None

    def address(self) -> IPv4Address:
        """Take an IPv4 address."""
        found = padded(self.peek())
        if found is None:
            self.fail("an address should stand here")
        self.word()
        return found

    def addresses(self) -> tuple[IPv4Address, ...]:
        """Take one address or more."""
        found = [self.address()]
        while self.is_address():
            found.append(self.address())
        return tuple(found)

    def network(self) -> IPv4Network:
        """Take `NET [mask M | masklen N]`; without a mask it is that of the address' class."""
        place = self._place
        address = self.address()
        prefix = self._mask()
        if prefix is None:
            prefix = _class_length(address)
        try:
            return IPv4Network((address, prefix))
        except ValueError:
            self._place = place
            self.fail("the address has bits outside of its mask")

    def _mask(self) -> int | None:
        kind = self.take("mask", "masklen")
        if kind == "masklen":
            return self.number(0, 32)
        if not kind:
            return None
        text = self.peek()
        bits = int(text, 16) if re.fullmatch(r"0x[0-9A-Fa-f]{8}", text) else None
        if bits is None:
            address = padded(text)
            bits = int(address) if address is not None else None
        if bits is None or (~bits & 0xFFFFFFFF) & ((~bits & 0xFFFFFFFF) + 1):
            self.fail("a mask should stand here")
        self.word()
        return bits.bit_count()

    def names(self, stop: Collection[str]) -> tuple[str, ...]:
        """Take a list of interfaces: `all`, or names and addresses up to a mark or one of `stop`."""
        if self.take("all"):
            return ("all",)
        found = [self.word("an interface should stand here")]
        while self.peek() and self.peek() not in MARKS and self.peek() not in stop:
            found.append(self.word())
        return tuple(found)

    def body(self, statements: Mapping[str, Callable[[], None]]) -> None:
        """Take `{ statement ... }`, each by its first word."""
        self.mark("{")
        while self.peek() != "}":
            if self.peek() not in statements:
                self.fail(f"{', '.join(statements)} or '}}' should stand here")
            statements[self.word()]()
        self.mark("}")


def padded(text: str) -> IPv4Address | None:
    """`10.1` as 10.1.0.0; None for what is no address."""
    if not re.fullmatch(r"\d{1,3}(\.\d{1,3}){0,3}", text):
        return None
    try:
        return IPv4Address(".".join((*(str(int(part)) for part in text.split(".")), "0", "0", "0")[:4]))
    except ValueError:
        return None


def _class_length(address: IPv4Address) -> int:
    """Mask length of the address' class (RFC 791)."""
    first = int(address) >> 24
    if first == 0:
        return 0
    return 8 if first < 128 else 16 if first < 192 else 24
