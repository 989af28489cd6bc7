"""An ARP plan as a value: the changes on each node, and the manual steps on other devices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from backstay.core.model.arp import NodeArp
from backstay.core.model.plan import FileDifference, Finding
from backstay.core.model.routing import Address

EntryStatus = Literal["there", "missing", "other_mac", "not_lasting"]


@dataclass(frozen=True, slots=True)
class ArpDifference:
    """One changed value of one port, before and after: `css0`, `ARP`, `on`, `off`."""

    port: str
    """Empty: of the whole node."""
    what: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class NodeArpPlan:
    """Changes on one node."""

    arp: NodeArp
    base: str
    """`ObservedArp.digest` on which the plan is based."""
    differences: tuple[ArpDifference, ...]
    files: tuple[FileDifference, ...]
    flips: bool
    """Whether ARP of a port is switched on or off."""
    shape: str
    """Nodes with identical changes have the same shape."""

    @property
    def changes(self) -> bool:
        """Whether the plan changes anything on the node."""
        return bool(self.differences or any(item.before != item.after for item in self.files))


@dataclass(frozen=True, slots=True)
class HandedEntry:
    """One entry that a device must have, and its status in the device's table."""

    address: Address
    mac: str
    whose: str
    status: EntryStatus
    found: str = ""
    """The hardware address that the device has instead, or the type of its correct entry."""


@dataclass(frozen=True, slots=True)
class HandOver:
    """Manual steps on a device that Backstay does not configure."""

    node: str
    port: str
    fabric: str
    system: str
    """`aix`, `grf`: from the site file's source; empty: unknown."""
    entries: tuple[HandedEntry, ...]
    reminders: tuple[str, ...]
    """Additional steps as sentences, such as saving."""

    @property
    def open(self) -> tuple[HandedEntry, ...]:
        """Entries that are missing, wrong or not permanent."""
        return tuple(entry for entry in self.entries if entry.status != "there")


@dataclass(frozen=True, slots=True)
class ArpPlan:
    """A frozen proposal. `digest` is the SHA-256 of the plan and of all its inputs."""

    nodes: tuple[NodeArpPlan, ...]
    findings: tuple[Finding, ...]
    hand_overs: tuple[HandOver, ...]
    waves: tuple[tuple[int, ...], ...]
    inputs: str
    digest: str
