"""Where a site file and an assignment may name files and programs, because agents run as root.

A field of a message that names a path is annotated with its rule; there is no other list. The backend
applies the rules to a site file (`inventory/site_file/paths.py`), and each agent to its assignments
(`backstay_agent.allowed_paths`), because it must not depend on the backend for that. An administrator adds
folders on each side: `BACKSTAY_SITE_PATHS` for the backend, `--allow-path` for an agent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from posixpath import normpath

from pydantic import BaseModel


@dataclass(frozen=True, slots=True)
class PathRule:
    """What one field may name."""

    places: tuple[str, ...]
    """Folders, which end in a slash, and files."""
    program: str = ""
    """The name that a program must have; its bare name is allowed too."""

    def allows(self, path: str, more: Sequence[str] = ()) -> bool:
        """Whether `path` is in one of the places or below a folder of `more`, without `..`."""
        if self.program:
            if path == self.program:
                return True
            if path.rpartition("/")[2] != self.program:
                return False
        if not path.startswith("/") or normpath(path) != path.rstrip("/") or "\0" in path:
            return False
        folders = [*self.places, *(f"{folder.rstrip('/')}/" for folder in more)]
        return any(path.startswith(place) if place.endswith("/") else path == place for place in folders)


CONFIGURATION = PathRule(
    (
        "/etc/backstay/",
        "/etc/bird/",
        "/etc/bird.conf",
        "/etc/frr/",
        "/etc/gated/",
        "/etc/gated.conf",
        "/etc/sysctl.d/",
    )
)
"""Written by the agent, read by a daemon or at boot."""
RUNTIME = PathRule(("/run/", "/var/run/", "/tmp/", "/usr/tmp/", "/var/tmp/"))  # noqa: S108  # of daemons
"""Sockets, process ids and dumps of daemons; read only."""
KEY = PathRule(("/etc/backstay/", "/root/.ssh/", "/var/lib/backstay/", "/var/lib/backstay-agent/"))
"""Private keys for ssh; read only, never transferred."""


def program(name: str) -> PathRule:
    """A program of this name in one of the system's folders."""
    return PathRule(
        ("/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/"), name
    )


FieldRules = Mapping[str, PathRule]
"""Field -> what it may name."""


@cache
def rules_of(message: type[BaseModel]) -> FieldRules:
    """The fields of a message that name a path."""
    return {
        name: rule
        for name, field in message.model_fields.items()
        for rule in field.metadata
        if isinstance(rule, PathRule)
    }
