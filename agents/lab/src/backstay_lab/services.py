"""Services: programs that a site needs beside the daemons, such as a simulated fabric, and what they tell.

A blueprint lists them (`Blueprint.services`). `up` prepares and starts each in order, after the namespaces
and before the routing daemons, and waits until it is ready; `down` ends it by its process. A service that
holds no process inside a namespace must also end by itself when `Running.alive` is gone, as the relay does,
so that nothing is left when the lab's state was lost. Its program finds everything by the state folder alone:
`StateFolder(Path(argument)).require().plan()` is the blueprint.

What a service plays is its own: the fault verbs call `fault` and `restore` for the nodes whose
`simulated_by` names it, in the process of the command, which tells the service by whatever means it has
(a control socket below `Running.folder`, a console).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from backstay_lab.blueprint import Blueprint, Node
from backstay_lab.daemons.snmpd import Credentials
from backstay_lab.errors import LabError
from backstay_lab.naming import Names


@dataclass(frozen=True)
class Running:
    """A running site, as its services see it."""

    plan: Blueprint
    names: Names
    """Of the namespaces: `names.node("sp01")`."""
    credentials: Credentials
    state: Path
    """The lab's state folder."""
    folder: Path
    """The service's own: configurations, sockets, pass_persist programs. It is there, mode 700."""
    alive: Path
    """Exists as long as this very run."""


def _nothing(_site: Running) -> None:
    """A service that needs no files."""


def _no_environment(_site: Running) -> dict[str, str]:
    return {}


def _none_for_node(_site: Running, _node: Node) -> dict[str, str]:
    return {}


def _no_lines(_site: Running, _node: Node) -> list[str]:
    return []


def _refuse(_site: Running, node: Node, kind: str) -> None:
    raise LabError(f"{node.name} cannot be {kind}.", "Choose another fault or another node.")


@dataclass(frozen=True)
class Service:
    """A program that runs for the life of a site. Only `name` and `argv` are always needed."""

    name: str
    argv: Callable[[Running], Sequence[str]]
    """Its command line. It must stay in the foreground, so that its process id is the one started."""
    node: str | None = None
    """The node in whose namespace it runs; None: where the lab's command runs, as the relay does."""
    prepare: Callable[[Running], None] = _nothing
    """Writes its configuration before it starts."""
    ready: Callable[[Running], bool] = lambda _site: True
    """Polled after the start, until True; a LabError ends the start at once."""
    ready_s: float = 10.0
    environment: Callable[[Running], Mapping[str, str]] = _no_environment
    node_environment: Callable[[Running, Node], Mapping[str, str]] = _none_for_node
    """For everything that `backstay-lab exec NODE` runs, the node's agent included (LD_PRELOAD)."""
    snmpd_lines: Callable[[Running, Node], Sequence[str]] = _no_lines
    """More lines of a watched node's snmpd.conf (pass_persist)."""
    fault: Callable[[Running, Node, str], None] = _refuse
    """Make `cut`, `silence` or `blackhole` of a node that it plays; LabError for one that it cannot."""
    restore: Callable[[Running, Node, str], None] = _refuse
    """Undo that kind."""
    packages: Mapping[str, str] = field(default_factory=dict)
    """Programs that it needs, each with the Debian package that brings it."""
