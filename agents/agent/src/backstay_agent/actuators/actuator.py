"""The interface of every actuator: desired routing in, the state reached out.

An actuator is idempotent, adds before it deletes, and determines the state reached by reading it, never from
an exit status alone. It keeps no state of its own; the machine holds the state. The agent and the guard, two
processes, can therefore use one each, one after the other.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network
from typing import Protocol

from backstay_wire import Engine, Evidence, FileIntent, NodeRouting, PolicyRoute, RunningRoute

Prefix = IPv4Network | IPv6Network


REBOOTED = "rebooted"
"""Value of an EngineState: the host was rebooted since the snapshot; run the restored boot file."""


class ActuatorError(Exception):
    """The desired state was not reached; the message gives the reason."""

    evidence: tuple[Evidence, ...] = ()
    """One item per failure, if there were several."""


class RefusedError(ActuatorError):
    """The engine's checker rejected the configuration; nothing was touched. The message is its output."""


class EngineGoneError(ActuatorError):
    """The engine does not run or does not answer."""


@dataclass(frozen=True, slots=True)
class EngineState:
    """State that an actuator needs to restore its engine: actuator-specific values, serialisable as JSON."""

    running: tuple[RunningRoute, ...]
    """Of the prefixes that the change affects."""
    values: dict[str, str]


class Actuator(Protocol):
    """One engine of this host."""

    engine: Engine
    runs_daemon: bool
    """Whether a daemon runs what it read from its boot file; the kernel reads none."""
    switches_by_file: bool
    """Whether a gateway switch writes the boot file."""

    async def running(self, prefixes: Collection[Prefix]) -> list[RunningRoute]:
        """The engine's hops of these prefixes, in their order; a prefix without a hop is left out.

        Static hops are included whether or not they are usable now; `active` marks those that the kernel
        forwards by. Raises EngineGoneError.
        """

    async def prepare(self, routing: NodeRouting) -> str:
        """Check the new configuration with the engine's own checker; touches nothing.

        Returns the checker's output. Raises RefusedError with that output, EngineGoneError.
        """

    async def snapshot(self, prefixes: Collection[Prefix]) -> EngineState:
        """State that `restore` needs. Raises EngineGoneError."""

    async def apply(self, routing: NodeRouting) -> list[RunningRoute]:
        """Run `routing` without saving it; returns the running routes, read back. Raises ActuatorError."""

    async def lead(self, leads: Sequence[tuple[PolicyRoute, str]]) -> None:
        """Of each of these routes put one gateway first and the others after it in their order; not saved.

        The switch itself comes first and takes milliseconds; then the rest is reordered. Raises
        ActuatorError, after everything that was possible; ValueError if a route has no such gateway.
        """

    async def save(self, files: Sequence[FileIntent]) -> None:
        """Write the files for the next boot, each atomically, and read them back. Raises ActuatorError."""

    async def restore(self, state: EngineState) -> None:
        """Run what ran at the snapshot, after the boot files were restored. Raises ActuatorError."""

    async def release(self, prefixes: Collection[Prefix]) -> None:
        """Run the boot file, in which our blocks of these prefixes were replaced. Raises ActuatorError."""

    async def alive(self) -> bool:
        """Whether the engine answers; the kernel always does."""
