"""Result of reading a host without an agent, whatever its system."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from backstay_agent.collectors.daemon import DaemonView
from backstay_agent.collectors.deltas import Values
from backstay_agent.collectors.metric_reporter import Counters
from backstay_wire import MetricValue, Neighbour, PortState, Route


@dataclass(frozen=True)
class HostView:
    """State of a host from its commands."""

    ports: list[PortState]
    counters: Mapping[str, Values]
    """Port -> its counters, in the order of `deltas.COLUMNS`."""
    widths: tuple[int, ...]
    """Bits of each of those counters."""
    routes: list[Route] = field(default_factory=list)
    neighbours: list[Neighbour] = field(default_factory=list)
    growing: Counters = field(default_factory=dict)
    """Counters beyond traffic, by port and metric."""
    levels: list[MetricValue] = field(default_factory=list)
    """Current levels and states."""
    daemons: Mapping[str, DaemonView] = field(default_factory=dict)
    """Routing daemons by name."""
    name: str = ""
    description: str = ""
    unparsed: int = 0
    """Number of unknown lines."""
    troubles: tuple[str, ...] = ()
    """Error output of the host."""


class Shell(Protocol):
    """A host that runs our commands (host/ssh.py)."""

    async def run(self, command: str) -> str:
        """A command's output; empty if the host has no such command. Raises SshError, TimeoutError."""


Read = Callable[[Shell], Awaitable[HostView]]
"""Reads a host of one system once."""

_IF_TYPES = {"en": 6, "et": 7, "ef": 6, "ec": 6, "eg": 6, "tr": 9, "fi": 15, "ipg": 15, "rns": 15, "xpi": 15}
_IF_TYPES |= {"at": 37, "hip": 47, "lo": 24}


def if_type(port: str) -> int:
    """IANAifType-MIB number by a port's name; 0 for a port to which the systems of its time gave none
    (css)."""
    return _IF_TYPES.get(port.rstrip("0123456789"), 0)
