"""The lab and its agents, by their command lines."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backstay_lab.demo.backend import INSIDE
from backstay_lab.demo.children import Program
from backstay_lab.demo.layout import Layout
from backstay_lab.demo.site_dirs import SiteDirs

AGENT_NICENESS, CROWDED_NICENESS = 5, 10
"""Niceness of agents: below the observed programs, with many agents also below the backend."""


@dataclass(frozen=True, slots=True)
class Scale:
    """A site's size: compute nodes and rate factor. None: the site's default."""

    nodes: int | None = None
    rates: float | None = None

    def options(self) -> list[str]:
        """Options of `backstay-lab up`."""
        asked = {"--nodes": self.nodes, "--rate-scale": self.rates}
        return [part for name, value in asked.items() if value is not None for part in (name, f"{value:g}")]


AS_IT_IS = Scale()


def lab(place: SiteDirs, name: str, *arguments: str) -> Program:
    """A `backstay-lab` command."""
    argv = [sys.executable, "-m", "backstay_lab", "--state", str(place.lab), *arguments]
    return Program(name + place.tag, argv, place.layout.log(name + place.tag))


def up(place: SiteDirs, ingest_port: int, scale: Scale = AS_IT_IS) -> Program:
    """Build the site at this scale; its site file is written for the import."""
    more = scale.options()
    more += ["--backend-port", str(ingest_port), "--site-file", str(place.site_file)]
    return lab(place, "lab", "up", place.site, *more)


def down(place: SiteDirs) -> Program:
    return lab(place, "lab-down", "down", place.site)


def sites(layout: Layout) -> Program:
    """The command that lists the sites, one per line."""
    name = "lab-sites"
    argv = [sys.executable, "-m", "backstay_lab", "--state", str(layout.data / "lab"), "sites"]
    return Program(name, argv, layout.log(name))


def status(place: SiteDirs) -> Program:
    return lab(place, "lab-status", "status", "--json")


def parse_status(output: str) -> dict[str, Any]:
    """The JSON object in the output of `status --json`; problems may follow it, one per line."""
    value, _ = json.JSONDecoder().raw_decode(output[output.index("{") :])
    return dict(value)


def agents(status: dict[str, Any]) -> list[str]:
    """The nodes that run an agent: those that collect themselves or others."""
    named = {node["agent"] for node in status["nodes"] if node["agent"] not in {None, "self"}}
    own = {node["name"] for node in status["nodes"] if node["agent"] == "self"}
    return sorted(named | own)


def agent(place: SiteDirs, node: str, niceness: int = AGENT_NICENESS) -> Program:
    """A node's agent, run inside it; `exec` replaces itself, so the child is the agent."""
    binary = str(Path(sys.executable).with_name("backstay-agent"))
    argv = [sys.executable, "-m", "backstay_lab", "--state", str(place.lab)]
    argv += ["exec", node, "--", binary, "run", "--state", str(place.agent(node))]
    argv += ["--backend", f"http://{INSIDE}:8000"]
    # An enrolled agent has no token file any more, and would not start if it were named.
    token = place.enrolment_file(node)
    argv += ["--token-file", str(token)] if token.exists() else []
    name = f"agent{place.tag}-{node}"
    # The lab's daemons keep their files below the demo's folder.
    environment = {"BACKSTAY_ALLOW_PATHS": str(place.layout.data)}
    return Program(name, argv, place.layout.log(name), environment, niceness=niceness)
