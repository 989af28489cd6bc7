"""Where one site of a demo keeps what: a demo runs one lab a site, side by side, with one backend.

The first site's lab is in `lab`, where `backstay-lab` looks by itself; another's in `lab-SITE`. Agents are
kept by site, for a node's name is a site's own affair, and a demo may run another site the next time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from backstay_lab.demo.errors import DemoError
from backstay_lab.demo.layout import Layout

ALL = "all"


@dataclass(frozen=True, slots=True)
class SiteDirs:
    """The paths of one site."""

    layout: Layout
    site: str
    first: bool = True

    @property
    def tag(self) -> str:
        """Suffix that separates this site's names from those of the first site, which have none."""
        return "" if self.first else f"-{self.site}"

    @property
    def lab(self) -> Path:
        """The lab's state folder."""
        return self.layout.data / f"lab{self.tag}"

    @property
    def site_file(self) -> Path:
        return self.layout.data / f"site{self.tag}.yaml"

    def agent(self, node: str) -> Path:
        """One agent's state folder: key, credential, spool."""
        return self.layout.agents / self.site / node

    def identity(self, node: str) -> Path:
        """What an enrolled agent has."""
        return self.agent(node) / "identity.json"

    def enrolment_file(self, node: str) -> Path:
        """One agent's one-time token, for as long as it needs it (mode 600)."""
        return self.layout.enrolment / self.site / node

    def prepare(self) -> None:
        """Make the agents' folder, private."""
        self.agent("x").parent.mkdir(mode=0o700, exist_ok=True)


def places(layout: Layout, sites: Sequence[str]) -> list[SiteDirs]:
    """The places of these sites, the first one first."""
    return [SiteDirs(layout, site, first=number == 0) for number, site in enumerate(sites)]


def sites_of(selection: str, every: Callable[[], list[str]]) -> list[str]:
    """The selected sites: names separated by commas; `all` asks `every`. DemoError for none."""
    if selection == ALL:
        return every()
    names = list(dict.fromkeys(name.strip() for name in selection.split(",") if name.strip()))
    if not names:
        raise DemoError("No site is named. Say for example SITE=argonne, SITE=argonne,sdsc or SITE=all.")
    return names
