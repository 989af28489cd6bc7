"""Running and saved routing of a node, with the digest that plans are compared with.

The reporter and the change driver both call `read`, so that a plan's base and the node's own state are
compared in the same way. The digest covers hops, preferences and files. It excludes the active hop, which may
change at any moment by itself, and the port's name, which follows from the hop.
"""

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from backstay_agent.actuators.actuator import Actuator, ActuatorError, Prefix
from backstay_agent.host import boot_files
from backstay_wire import Desired, Engine, RunningRoute, SavedFile
from backstay_wire.routing import MAX_CONFIG, MAX_ROUTES


@dataclass(frozen=True, slots=True)
class RoutingState:
    """Routing of a node."""

    routes: list[RunningRoute]
    files: list[SavedFile]
    digest: str


def prefixes(desired: Desired) -> list[Prefix]:
    """Prefixes of a node's report: those of its confirmed routing and of its watched paths."""
    managed = desired.routing.routes if desired.routing else []
    found = {route.prefix for route in managed} | {path.prefix for path in desired.paths}
    return sorted(found, key=lambda prefix: (prefix.version, prefix))


async def read(actuator: Actuator, engine: Engine, wanted: Collection[Prefix]) -> RoutingState:
    """The engine's routes of these prefixes, and its boot file. Raises ActuatorError, OSError."""
    routes = await actuator.running(wanted)
    if len(routes) > MAX_ROUTES:
        raise ActuatorError(f"{len(routes)} routes are more than the {MAX_ROUTES} that one report may hold")
    files = [saved_file(engine.config)]
    return RoutingState(routes, files, digest(routes, files))


def saved_file(path: str) -> SavedFile:
    """A boot file as it is on disk; a missing one has an empty digest.

    Raises OSError, also for a file that a report cannot hold: a plan made from half of it loses the rest.
    """
    text = boot_files.read(Path(path))
    if text is None:
        return SavedFile(path=path, sha256="")
    if len(text) > MAX_CONFIG:
        raise OSError(f"{path}: more than {MAX_CONFIG} characters")
    return SavedFile(path=path, sha256=boot_files.digest(text), text=boot_files.shown(text))


def digest(routes: Sequence[RunningRoute], files: Sequence[SavedFile]) -> str:
    """SHA-256 in hex of hops, preferences and files, independent of order."""
    content = {
        "routes": sorted(
            [str(route.prefix), sorted([hop.preference, str(hop.address)] for hop in route.hops)]
            for route in routes
            if route.hops
        ),
        "files": sorted([file.path, file.sha256] for file in files),
    }
    return hashlib.sha256(json.dumps(content, separators=(",", ":")).encode()).hexdigest()
