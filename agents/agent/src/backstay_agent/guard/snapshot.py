"""A whole snapshot of a node: the kernel's part, the engine's, the boot files."""

import base64
from collections.abc import Collection
from pathlib import Path

from backstay_agent.actuators.actuator import REBOOTED, Actuator, EngineState, Prefix
from backstay_agent.host import boot_files
from backstay_agent.host.kernel import kernel_state
from backstay_agent.host.kernel.host_state import ArpBaseline, HostState
from backstay_wire import RunningRoute
from backstay_wire.base import Message
from backstay_wire.routing import MAX_STATE_TEXT


class KeptFile(Message):
    """Content of a file; octets in base64, because a configuration need not be UTF-8. None: it did not
    exist."""

    path: str
    octets: str | None

    @classmethod
    def of(cls, path: str, text: str | None) -> "KeptFile":
        """A file with this text, as `boot_files` reads it."""
        octets = None if text is None else base64.b64encode(text.encode("utf-8", "surrogateescape")).decode()
        return cls(path=path, octets=octets)

    @property
    def text(self) -> str | None:
        """The format that `boot_files` reads and writes."""
        if self.octets is None:
            return None
        return base64.b64decode(self.octets).decode("utf-8", "surrogateescape")


class Snapshot(Message):
    """Everything that `restore` restores."""

    host: HostState | None
    """None: the host was rebooted since, and its boot recreated this."""
    running: tuple[RunningRoute, ...]
    engine: dict[str, str]
    files: tuple[KeptFile, ...]
    arp: ArpBaseline | None = None
    """Of the ports whose ARP the change affects; None: none."""

    @property
    def engine_state(self) -> EngineState:
        """The engine's part, for its actuator."""
        return EngineState(self.running, self.engine)

    def after_reboot(self) -> "Snapshot":
        """The part to restore after a reboot: the boot files, which define everything else.

        Also the ARP of the ports that the change affects: the boot may have read new files, and the old ones
        do not mention what the new ones switched off. Ports, addresses and routes come from the boot by now,
        and what ran besides the boot file is gone.
        """
        return self.model_copy(update={"host": None, "running": (), "engine": {REBOOTED: "yes"}})

    def text(self) -> str:
        """For display: ports, addresses, routes, the engine's hops, digests of files; `MAX_STATE_TEXT`."""
        text = "\n".join(
            [
                *(self.host.lines() if self.host else []),
                *(self.arp.lines() if self.arp else []),
                *_hops(self.running),
                *map(_digest, self.files),
            ]
        )
        return text if len(text) <= MAX_STATE_TEXT else text[:MAX_STATE_TEXT].rpartition("\n")[0]


async def take(
    actuator: Actuator | None,
    prefixes: Collection[Prefix],
    paths: Collection[str],
    arp_ports: Collection[str] = (),
    *,
    filters: bool = True,
) -> Snapshot:
    """The node's current state; without an actuator no engine is read. Raises EngineGoneError, OSError.

    `filters`: also packet filters, which only a comparison after a restore uses.
    """
    state = await actuator.snapshot(prefixes) if actuator else EngineState((), {})
    host = await kernel_state.read(filters=filters)
    return Snapshot(
        host=host,
        running=state.running,
        engine=state.values,
        files=tuple(keep(path) for path in sorted(set(paths))),
        arp=host.arp_of(arp_ports) if arp_ports else None,
    )


def keep(path: str) -> KeptFile:
    """Content of a file. Raises OSError."""
    return KeptFile.of(path, boot_files.read(Path(path)))


def hop_set(routes: Collection[RunningRoute]) -> list[str]:
    """Hops and preferences, without the active flag."""
    return [f"{route.prefix} via {hop.address} ({hop.preference})" for route in routes for hop in route.hops]


def _hops(routes: Collection[RunningRoute]) -> list[str]:
    return [
        f"{route.prefix} via {hop.address} preference {hop.preference}{' active' if hop.active else ''}"
        for route in routes
        for hop in route.hops
    ]


def _digest(file: KeptFile) -> str:
    text = file.text
    return f"{file.path} {'absent' if text is None else 'sha256 ' + boot_files.digest(text)}"
