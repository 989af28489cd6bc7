"""A boot file without marked blocks of ours: pure.

Blocks of routes (`# BEGIN backstay POLICY PREFIX`) and of ARP (`# BEGIN backstay arp FABRIC`) look alike; the
operator's text stays unchanged byte for byte.
"""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_network

from backstay_agent.actuators.actuator import Prefix
from backstay_agent.engines.spec import Destination

_BLOCK = re.compile(
    r"^[ \t]*# BEGIN backstay (?P<policy>\S.*) (?P<subject>\S+)[ \t]*\r?\n"
    r"(?P<inner>(?:.*\n)*?)"
    r"[ \t]*# END backstay (?P=policy) (?P=subject)[ \t]*\r?(?:\n|\Z)",
    re.MULTILINE,
)
ARP = "arp"
"""First word of the marks of ARP blocks; the second is the fabric."""


@dataclass(frozen=True, slots=True)
class MarkedBlock:
    """One block of ours."""

    policy: str
    subject: str
    """The prefix, or the fabric of an ARP block."""
    inner: str
    """The lines between the marks."""

    @property
    def prefix(self) -> Prefix | None:
        """The prefix of a route's block; None for ARP."""
        try:
            return ip_network(self.subject)
        except ValueError:
            return None


Replacement = Callable[[MarkedBlock], str | None]
"""The text in place of a block; None: the block stays."""


def find(text: str) -> list[MarkedBlock]:
    """Every complete block in order."""
    return [_block(match) for match in _BLOCK.finditer(text)]


def substitute(text: str, replacement: Replacement) -> str:
    """`text` with blocks replaced, marks included."""
    parts, at = [], 0
    for match in _BLOCK.finditer(text):
        instead = replacement(_block(match))
        if instead is not None:
            parts += [text[at : match.start()], instead]
            at = match.end()
    rest = text[at:]
    joined = "".join([*parts, rest])
    # A block at the end of a text without a last line end brought that line end along.
    return joined.removesuffix("\n").removesuffix("\r") if at and not rest and text[-1] != "\n" else joined


def outside(text: str | None) -> str:
    """SHA-256 in hex of the operator's text, without our blocks; empty without a file."""
    if text is None:
        return ""
    kept = substitute(text, lambda _: "")
    return hashlib.sha256(kept.encode("utf-8", "surrogateescape")).hexdigest()


def _block(match: re.Match[str]) -> MarkedBlock:
    return MarkedBlock(match["policy"], match["subject"], match["inner"])


def original_lines(destination: Destination, original: str, prefix: Prefix) -> str:
    """An operator's lines for one prefix in the original boot file, with line ends; empty: there are none.

    Needed when other blocks of ours stay in the file, so that the original cannot be restored as a whole.
    Only where a route is one line: for the other engines the block is removed without a replacement.
    """
    operator = substitute(original, lambda _: "")
    return "".join(
        line if line.endswith("\n") else f"{line}\n"
        for line in operator.splitlines(keepends=True)
        if destination(line) == prefix
    )
