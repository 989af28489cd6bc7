"""Where a node's files are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Home:
    """A node's configurations, and a folder for sockets of daemons that run as a user of their own."""

    folder: Path
    vty: Path
