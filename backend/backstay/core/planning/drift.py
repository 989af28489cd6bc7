"""Drift: differences between intended, running and saved routing of a node, and the effect of a reboot.

It is not drift if the checker currently prefers a fallback, because that is intended. If the saved file
prefers another gateway, a reboot changes the running state, and the item says so. gated runs only what its
boot file contains, so on a fallback that file has the fallback's order; that is not drift either.

An engine runs what it last read, so a right file proves nothing: an engine that has not loaded its file
drifts. For gated the file and the running routes show it; for the others the agent, which knows the decisions
of its checker.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from backstay.core.model.routing import (
    ENGINES,
    Detection,
    EngineKind,
    NodeRouting,
    ObservedRouting,
    PolicyRoute,
    Prefix,
    RunningRoute,
)
from backstay.core.planning.config_files import Rendering, replaced, saved
from backstay.core.planning.diff import Names, by_prefix, first_of, format_hops, leader

DriftKind = Literal["route", "file", "arp", "setting", "neighbour", "arp_file"]
_FILES: frozenset[DriftKind] = frozenset({"file", "arp_file"})
"""Kinds of item about a file rather than the running state."""


@dataclass(frozen=True, slots=True)
class CheckedNode:
    """The node that is checked."""

    name: str
    path: str
    """Its engine's boot file."""
    names: Names


@dataclass(frozen=True, slots=True)
class DriftItem:
    """One prefix, file or ARP setting whose intended, running and saved values differ."""

    what: str
    """A prefix, a file's path, `css0`, `css0 ipv4.conf.arp_ignore`, `css0 10.1.0.5`."""
    kind: DriftKind
    intended: str
    running: str
    saved: str
    reboot: bool
    """Whether a reboot changes the running state."""
    text: str
    on_fallback: bool = False
    """The checker prefers a fallback, which is not drift."""
    file_on_fallback: bool = False
    """The boot file prefers the same fallback, because the engine switches by its file; not drift."""

    @property
    def running_differs(self) -> bool:
        """Whether the running state is not intended."""
        if self.kind in _FILES:
            return False
        return self.running != self.intended and not self.on_fallback

    @property
    def saved_differs(self) -> bool:
        """Whether the saved state is not intended."""
        if self.kind in _FILES:
            return True
        return self.saved != self.intended and not self.file_on_fallback


def drift(
    host: CheckedNode, intended: NodeRouting | None, observed: ObservedRouting, rendering: Rendering
) -> tuple[DriftItem, ...]:
    """Drift of one node; `intended` None: nothing was ever deployed.

    In that case only changes by a reboot are reported. An unreadable file is an item.
    """
    file = saved(observed, host.path)
    try:
        kept = rendering.saved_routes(observed.engine, file.text)
    except ValueError as error:
        return (_unreadable(host.name, host.path, str(error)),)
    managed = () if intended is None else intended.routes
    wanted_by, running_by, kept_by = by_prefix(managed), by_prefix(observed.routes), by_prefix(kept)
    has_blocks = not replaced(file.text)
    found, expected = [], []
    for prefix in dict.fromkeys([*wanted_by, *running_by]):
        wanted = wanted_by.get(prefix, [])
        running, boot = first_of(running_by, prefix), first_of(kept_by, prefix)
        switched = _switched_file(observed.engine, wanted, running, boot)
        expected += [route.led_by(switched) if switched else route for route in wanted]
        unread = _unread(observed, wanted, running, boot)
        state = _File(bool(switched), bool(wanted) and not has_blocks, unread)
        found.append(_route(host, wanted, running, boot, state))
    routes = [item for item in found if item is not None]
    if intended is None or any(item.saved_differs for item in routes):
        return tuple(routes)
    in_order = {(route.policy, route.prefix): route for route in expected}
    written = replace(
        intended, routes=tuple(in_order[route.policy, route.prefix] for route in intended.routes)
    )
    return (*routes, *_file(host.name, written, observed, rendering))


@dataclass(frozen=True, slots=True)
class _Three:
    """One prefix on one node, as text."""

    node: str
    prefix: Prefix
    intended: str
    running: str
    saved: str


@dataclass(frozen=True, slots=True)
class _File:
    """Properties of a node's boot file other than its routes."""

    switched: bool
    """It has the fallback's order, because the engine switches by its file."""
    replaced: bool
    """It has none of our blocks."""
    unread: str = ""
    """The engine, if it has not loaded the file, with what its agent reports."""


def _route(
    host: CheckedNode, wanted: list[PolicyRoute], running: RunningRoute, kept: RunningRoute, file: _File
) -> DriftItem | None:
    hops = [hop for route in wanted for hop in route.hops]
    aim, now, boot = (_text(format_hops(host.names, entry)) for entry in (hops, running.hops, kept.hops))
    three = _Three(host.name, running.prefix, aim, now, boot)
    if not wanted:
        return None if now == boot else _item(three, _unmanaged(three))
    if now == aim == boot:
        return None
    fallback = "" if file.unread else _fallback(wanted, running)
    item = _item(three, " ".join(_sentences(three, fallback, file)))
    return replace(item, on_fallback=bool(fallback), file_on_fallback=file.switched)


def _item(three: _Three, text: str) -> DriftItem:
    reboot = three.running != three.saved
    return DriftItem(str(three.prefix), "route", three.intended, three.running, three.saved, reboot, text)


def _unmanaged(three: _Three) -> str:
    saved_text = f"its file has {three.saved}" if three.saved else "its file has no such route"
    return f"{three.node} {_runs(three)}, but {saved_text}: a reboot would change that."


def _fallback(wanted: list[PolicyRoute], running: RunningRoute) -> str:
    """The fallback that the checker prefers; empty if it prefers the first gateway or there is no checker."""
    if len(wanted) != 1 or wanted[0].detection is not Detection.CHECKER:
        return ""
    first = leader(wanted[0], running)
    return first if first is not None and first != wanted[0].hops[0].gateway else ""


def _switched_file(
    engine: EngineKind, wanted: list[PolicyRoute], running: RunningRoute, kept: RunningRoute
) -> str:
    """The fallback that is active and also first in the file, for an engine that switches by its file."""
    if not ENGINES[engine].switches_by_file:
        return ""
    fallback = _fallback(wanted, running)
    return fallback if fallback and leader(wanted[0], kept) == fallback else ""


def _unread(
    observed: ObservedRouting, wanted: list[PolicyRoute], running: RunningRoute, kept: RunningRoute
) -> str:
    """States that the engine has not loaded its file; empty if it has."""
    spec = ENGINES[observed.engine]
    leads = [leader(route, entry) for route in wanted[:1] for entry in (running, kept)]
    in_another_order = spec.switches_by_file and None not in leads and len(set(leads)) > 1
    if not wanted or (running.loaded and not in_another_order):
        return ""
    reported = "" if running.loaded else observed.detail
    return f"{spec.label} has not loaded its file. {reported}".strip()


def _sentences(three: _Three, fallback: str, file: _File) -> Iterator[str]:
    if fallback:
        yield f"{three.node} is on its fallback {fallback} for {three.prefix}, as its checker decided."
    if file.switched:
        yield "Its boot file has the fallback's order, because gated can only switch by its file."
        yield "A reboot would start it on the fallback."
        return
    if not fallback and three.running != three.intended:
        yield f"{three.node} {_runs(three)}, but {three.intended} is intended."
    elif not fallback:
        yield f"{three.node} {_runs(three)}, as intended."
    if file.unread:
        yield file.unread if three.saved != three.intended else f"Its file is as intended. {file.unread}"
    if three.saved != three.intended:
        difference = f"has {three.saved}" if three.saved else "has no such route"
        yield f"Its file {difference}, which is not intended."
        if file.replaced:
            yield "It does not contain Backstay's block: the whole file was replaced, or never written."
    if three.running != three.saved:
        yield f"A reboot would change it to {three.saved or 'no route at all'}."
    elif three.saved != three.intended:
        yield "A reboot would not fix it."


def _file(
    node: str, intended: NodeRouting, observed: ObservedRouting, rendering: Rendering
) -> tuple[DriftItem, ...]:
    """Drift of the text of our blocks in a file with correct routes."""
    file = saved(observed, intended.engine.config)
    try:
        same = rendering.render(intended, file.text) == file.text
    except ValueError as error:
        return (_unreadable(node, file.path, str(error)),)
    if same:
        return ()
    if replaced(file.text):
        text = (
            f"{file.path} of {node} no longer contains Backstay's block: the whole file was replaced. It"
            " contains the intended routes, so a reboot would change nothing now. But changes no longer"
            " update these lines, and a switch to a fallback is not saved there."
        )
        return (DriftItem(file.path, "file", "as written", "", "replaced", False, text),)
    text = (
        f"{file.path} of {node} contains the intended routes,"
        " but the text of Backstay's block was edited by hand."
    )
    return (DriftItem(file.path, "file", "as written", "", "edited", False, text),)


def _unreadable(node: str, path: str, why: str) -> DriftItem:
    text = f"{path} of {node} cannot be read, so the effect of a reboot is unknown: {why.rstrip('.')}."
    return DriftItem(path, "file", "as written", "", "unreadable", True, text)


def _text(hops: tuple[str, ...]) -> str:
    return ", then ".join(hops)


def _runs(three: _Three) -> str:
    if not three.running:
        return f"runs no route to {three.prefix}"
    return f"reaches {three.prefix} {three.running}"
