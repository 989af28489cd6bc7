"""The paths of a node's files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Home:
    """A node's configuration folder, and a folder for sockets of daemons that drop privileges."""

    folder: Path
    vty: Path

    @property
    def arp(self) -> Path:
        """`ip -batch` boot file of the ports' ARP: flags and static entries."""
        return self.folder / "arp"

    @property
    def arp_settings(self) -> Path:
        """sysctl.d(5) boot file of the ports' ARP."""
        return self.folder / "60-backstay-arp.conf"
