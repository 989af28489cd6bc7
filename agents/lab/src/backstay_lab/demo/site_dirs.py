"""Paths of one site of a demo: a demo runs one lab per site with one backend.

The first site's lab is in `lab`, the default of `backstay-lab`; others are in `lab-SITE`. Agents are stored
by site, because node names are unique only within a site.
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
        """Suffix of this site's names; empty for the first site."""
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
        """An enrolled agent's identity file."""
        return self.agent(node) / "identity.json"

    def enrolment_file(self, node: str) -> Path:
        """One agent's one-time token until it is used (mode 600)."""
        return self.layout.enrolment / self.site / node

    def prepare(self) -> None:
        """Create the agents' private folder."""
        self.agent("x").parent.mkdir(mode=0o700, exist_ok=True)


def places(layout: Layout, sites: Sequence[str]) -> list[SiteDirs]:
    """The paths of these sites, in order."""
    return [SiteDirs(layout, site, first=number == 0) for number, site in enumerate(sites)]


def sites_of(selection: str, every: Callable[[], list[str]]) -> list[str]:
    """The selected sites: names separated by commas; `all` asks `every`. DemoError for none."""
    if selection == ALL:
        return every()
    names = list(dict.fromkeys(name.strip() for name in selection.split(",") if name.strip()))
    if not names:
        raise DemoError("No site is named. Examples: SITE=argonne, SITE=argonne,sdsc, SITE=all.")
    return names
