"""Names that a user typed: those that do not exist are an error that proposes similar ones."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

from backstay_cli.errors import Usage
from backstay_cli.text import names, shown

SIMILAR = 0.6
"""Least similarity (difflib's ratio, 0 to 1) of a proposed name."""
MOST_SIMILAR = 3
MOST_LISTED = 6
"""Names that are listed if none is similar."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of named object: its noun, its list in the API, and the command that prints the list."""

    noun: str
    path: str
    command: str


NODE = Kind("node", "/nodes", "backstay devices list")
FABRIC = Kind("fabric", "/fabrics", "backstay fabrics list")
POLICY = Kind("failover policy", "/failover-policies", "backstay policies list")
LINK = Kind("link", "/links", "backstay links list")
PORT = Kind("port", "/ports", "backstay ports list")
CIRCUIT = Kind("circuit", "/circuits", "backstay circuits list")
TEST_PLAN = Kind("test plan", "/test-plans", "backstay tests plans")
METRIC_LIMIT = Kind("metric limit", "/metric-limits", "backstay limits list")
AGENT = Kind("agent", "/agents", "backstay agents list")
ARP_POLICY = Kind("ARP policy", "/arp-policies", "backstay arp policies")
EXTENSION_NODE = Kind("extension node", "/extension-nodes", "backstay extension-nodes list")
FILTERS = {"node": NODE, "fabric": FABRIC, "policy": POLICY}
"""Filter of a list -> the objects that it names."""


def unknown(kind: Kind, text: str, known: Iterable[str]) -> Usage:
    """The error about a name that does not exist."""
    every = list(dict.fromkeys(name for name in known if name))
    near = similar(text, every)
    if near:
        rest = f"did you mean {names(near)}?"
    else:
        rest = f"there are {names(every, MOST_LISTED)}." if every else "none exists yet."
    return Usage(f"No {kind.noun} named {shown(text)}; {shown(rest)} To list them: {kind.command}.")


def similar(text: str, known: Iterable[str]) -> list[str]:
    """Known names that resemble the text, best first; letter case does not matter."""
    by_key = {name.casefold(): name for name in known}
    near = difflib.get_close_matches(text.casefold(), by_key, n=MOST_SIMILAR, cutoff=SIMILAR)
    return [by_key[key] for key in near]
