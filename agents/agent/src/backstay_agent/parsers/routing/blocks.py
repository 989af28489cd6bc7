"""Our marked blocks in a configuration file: find, list, and replace one; the rest stays octet for octet."""

import re
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network

from backstay_wire.routing import marks

_BEGIN = re.compile(r"^[ \t]*# BEGIN backstay (?P<policy>.+) (?P<prefix>\S+)[ \t]*\r?$", re.MULTILINE)

_END = re.compile(r"^[ \t]*# END backstay (?P<policy>.+) (?P<prefix>\S+)[ \t]*\r?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """One route's block: the text between its marks."""

    policy: str
    prefix: IPv4Network | IPv6Network
    text: str

    @property
    def lines(self) -> list[str]:
        """Its lines without comments and separators."""
        stripped = [line.strip() for line in self.text.splitlines()]
        return [line for line in stripped if line and line[0] not in "#!"]


def find(text: str) -> list[Block]:
    """Every complete block, in order. Raises ValueError for one that is not closed."""
    found = []
    for begin in _BEGIN.finditer(text):
        key = begin["policy"], begin["prefix"]
        ends = (end for end in _END.finditer(text, begin.end()) if (end["policy"], end["prefix"]) == key)
        end = next(ends, None)
        if end is None:
            raise ValueError(f"no complete block {key[0]} {key[1]}")
        found.append(Block(key[0], ip_network(key[1]), text[begin.end() + 1 : end.start()]))
    return found


def replace(text: str, policy: str, prefix: IPv4Network | IPv6Network, content: str) -> str:
    """`text` with `content` between the marks of one block. Raises ValueError if it has no such block."""
    start, end = _bounds(text, policy, str(prefix))
    ending = "" if not content or content.endswith("\n") else "\n"
    return text[:start] + content + ending + text[end:]


def _bounds(text: str, policy: str, prefix: str) -> tuple[int, int]:
    """Where the lines between the marks begin and end."""
    opening, closing = marks(policy, prefix)
    first = re.search(rf"^[ \t]*{re.escape(opening)}[ \t]*\r?\n", text, re.MULTILINE)
    last = re.compile(rf"^[ \t]*{re.escape(closing)}[ \t]*\r?$", re.MULTILINE)
    end = last.search(text, first.end()) if first else None
    if first is None or end is None:
        raise ValueError(f"no complete block {policy} {prefix}")
    return first.end(), end.start()
