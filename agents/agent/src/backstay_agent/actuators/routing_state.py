"""What a node runs and has saved, and the one digest of it that plans are held against.

The reporter and the driver of changes both call `read`, so that a plan's base and the node's own state are
compared by the same measure. The digest covers hops, preferences and files; not which hop is active, for
that may change at any moment by itself, and not the port's name, which follows from the hop.
"""

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from backstay_agent.actuators.actuator import Actuator, Prefix
from backstay_agent.host import boot_files
from backstay_wire import Desired, Engine, RunningRoute, SavedFile
from backstay_wire.routing import MAX_CONFIG

_MOST_ROUTES = 1024


@dataclass(frozen=True, slots=True)
class RoutingState:
    """A node's routing as it is."""

    routes: list[RunningRoute]
    files: list[SavedFile]
    digest: str


def prefixes(desired: Desired) -> list[Prefix]:
    """The prefixes that a node's report is about: those of its confirmed routing and of its watched paths."""
    managed = desired.routing.routes if desired.routing else []
    found = {route.prefix for route in managed} | {path.prefix for path in desired.paths}
    return sorted(found, key=lambda prefix: (prefix.version, prefix))


async def read(actuator: Actuator, engine: Engine, wanted: Collection[Prefix]) -> RoutingState:
    """What the engine runs of these prefixes, and its boot file. Raises EngineGoneError, OSError."""
    routes = (await actuator.running(wanted))[:_MOST_ROUTES]
    files = [saved_file(engine.config)]
    return RoutingState(routes, files, digest(routes, files))


def saved_file(path: str) -> SavedFile:
    """A boot file as it is on disk; without one, an empty digest. Raises OSError."""
    text = boot_files.read(Path(path))
    if text is None:
        return SavedFile(path=path, sha256="")
    return SavedFile(path=path, sha256=boot_files.digest(text), text=boot_files.shown(text)[:MAX_CONFIG])


def digest(routes: Sequence[RunningRoute], files: Sequence[SavedFile]) -> str:
    """SHA-256 in hex of hops, preferences and files, whatever their order."""
    content = {
        "routes": sorted(
            [str(route.prefix), sorted([hop.preference, str(hop.address)] for hop in route.hops)]
            for route in routes
            if route.hops
        ),
        "files": sorted([file.path, file.sha256] for file in files),
    }
    return hashlib.sha256(json.dumps(content, separators=(",", ":")).encode()).hexdigest()
