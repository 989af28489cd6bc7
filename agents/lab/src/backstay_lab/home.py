"""Where a node's files are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Home:
    """A node's configurations, and a folder for sockets of daemons that run as a user of their own."""

    folder: Path
    vty: Path

    @property
    def arp(self) -> Path:
        """What the boot runs by `ip -batch` for its ports' ARP: flags and static entries."""
        return self.folder / "arp"

    @property
    def arp_settings(self) -> Path:
        """What it sets of them, as sysctl.d(5) has it."""
        return self.folder / "60-backstay-arp.conf"
