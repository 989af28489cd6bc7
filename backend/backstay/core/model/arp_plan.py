"""A plan of ARP as a value: what will be different on each node, and what people must set on devices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from backstay.core.model.arp import NodeArp
from backstay.core.model.plan import FileDifference, Finding
from backstay.core.model.routing import Address

EntryStatus = Literal["there", "missing", "other_mac", "not_lasting"]


@dataclass(frozen=True, slots=True)
class ArpDifference:
    """One thing of one port, before and after, in words: `css0`, `ARP`, `on`, `off`."""

    port: str
    """Empty: the whole node's."""
    what: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class NodeArpPlan:
    """What one node will do."""

    arp: NodeArp
    base: str
    """`ObservedArp.digest` that it was planned from."""
    differences: tuple[ArpDifference, ...]
    files: tuple[FileDifference, ...]
    flips: bool
    """Whether a port's ARP goes on or off."""
    shape: str
    """Nodes whose changes read the same share a shape."""

    @property
    def changes(self) -> bool:
        """Whether anything is different at all."""
        return bool(self.differences or any(item.before != item.after for item in self.files))


@dataclass(frozen=True, slots=True)
class HandedEntry:
    """One entry that a device must have, and how its table stands to it."""

    address: Address
    mac: str
    whose: str
    status: EntryStatus
    found: str = ""
    """The hardware address that the device has instead, or how it knows the right one."""


@dataclass(frozen=True, slots=True)
class HandOver:
    """What a person must set on a device that Backstay does not change."""

    node: str
    port: str
    fabric: str
    system: str
    """`aix`, `grf`: as the site file's source says; empty: unknown."""
    entries: tuple[HandedEntry, ...]
    reminders: tuple[str, ...]
    """What else belongs to it, in sentences: saving above all."""

    @property
    def open(self) -> tuple[HandedEntry, ...]:
        """Entries that are not there, lasting and right."""
        return tuple(entry for entry in self.entries if entry.status != "there")


@dataclass(frozen=True, slots=True)
class ArpPlan:
    """A frozen proposal. `digest` is SHA-256 over everything that the outcome depends on and all of it."""

    nodes: tuple[NodeArpPlan, ...]
    findings: tuple[Finding, ...]
    hand_overs: tuple[HandOver, ...]
    waves: tuple[tuple[int, ...], ...]
    inputs: str
    digest: str
