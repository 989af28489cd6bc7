"""Intended, running and saved ARP: where two of the three differ on a node, and what a reboot would change.

The same shape as drift of routing. A setting that the files do not say is the kernel's own after a boot:
what that is nobody has told, so it differs from what is intended and a reboot may change it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from backstay.core.formatting import listing
from backstay.core.model.arp import NodeArp, ObservedArp, PortArp, RunningPortArp
from backstay.core.model.routing import Address
from backstay.core.planning.arp.diff import flag, saved_file
from backstay.core.planning.config_files import replaced
from backstay.core.planning.drift import DriftItem
from backstay.core.rendering.arp import files as rendering
from backstay.core.rendering.arp.saved import Saved, SavedPort, saved

KINDS = frozenset({"arp", "setting", "neighbour", "arp_file"})
"""Kinds of item that are ours; the others are routing's."""
_UNSAID = "not said"
_ONE_BY_ONE = 8
"""Entries of one port that differ and are told each by itself."""


def arp_drift(intended: NodeArp, observed: ObservedArp) -> tuple[DriftItem, ...]:
    """Of one node. A file that cannot be read is an item of its own."""
    config, settings = (
        saved_file(observed, path) for path in (intended.files.config, intended.files.settings)
    )
    try:
        kept = saved(config.text, settings.text)
    except ValueError as error:
        text = f"{intended.node}: the effect of a reboot is unknown, because {error}."
        return (DriftItem(intended.files.config, "arp_file", "as written", "", "unreadable", True, text),)
    found = [item for port in intended.ports.values() for item in _port(intended.node, port, observed, kept)]
    found += _settings(intended.node, "", intended.table, dict(observed.table), kept.table)
    return (*found, *_files(intended, observed, found))


def _port(node: str, wanted: PortArp, observed: ObservedArp, kept: Saved) -> Iterable[DriftItem]:
    running, boot = observed.port(wanted.port), kept.port(wanted.port)
    if running is None:
        text = f"{node} has no port {wanted.port}, which ARP settings are intended for."
        yield DriftItem(wanted.port, "arp", "there", "not there", "there", False, text)
        return
    if wanted.arp is not None:
        states = flag(wanted.arp), flag(running.arp), flag(boot.arp is not False)
        three = _Three(node, f"ARP of {wanted.port}", *states)
        yield from three.item("arp", wanted.port)
        yield from _entries(node, wanted, running, boot)
    yield from _settings(node, wanted.port, dict(wanted.settings), dict(running.settings), boot.settings)


@dataclass(frozen=True, slots=True)
class _Three:
    """One thing of one node, in words."""

    node: str
    subject: str
    intended: str
    running: str
    saved: str

    def item(self, kind: str, what: str) -> Iterable[DriftItem]:
        """Nothing where all three are one."""
        if self.intended == self.running == self.saved:
            return
        reboot = self.running != self.saved
        text = " ".join(self._sentences())
        yield DriftItem(what, kind, self.intended, self.running, self.saved, reboot, text)  # type: ignore[arg-type]

    def _sentences(self) -> Iterable[str]:
        if self.running == self.intended:
            yield f"{self.subject} on {self.node} is {self.running}, as intended."
        else:
            yield f"{self.subject} on {self.node} is {self.running}, but {self.intended} is intended."
        if self.saved == self.intended:
            if self.running != self.saved:
                yield f"A reboot would make it {self.saved}."
            return
        if self.saved == _UNSAID:
            yield "Its boot file does not set it: a reboot may change it."
        else:
            yield f"Its boot file has {self.saved}, which is not intended."
            yield (
                f"A reboot would make it {self.saved}."
                if self.running != self.saved
                else ("A reboot would not fix it.")
            )


def _settings(
    node: str, port: str, wanted: Mapping[str, int], running: Mapping[str, int], kept: Mapping[str, int]
) -> Iterable[DriftItem]:
    for name, value in sorted(wanted.items()):
        now = str(running[name]) if name in running else "not there"
        boot = str(kept[name]) if name in kept else _UNSAID
        what = f"{port} {name}".strip()
        of_port = f" of {port}" if port else ""
        yield from _Three(node, f"{name}{of_port}", str(value), now, boot).item("setting", what)


def _entries(node: str, wanted: PortArp, running: RunningPortArp, boot: SavedPort) -> Iterable[DriftItem]:
    aim = {neighbour.address: neighbour.mac for neighbour in wanted.neighbours}
    now = {neighbour.address: neighbour.mac for neighbour in running.neighbours}
    after: Mapping[Address, str] = boot.neighbours
    addresses = sorted({*aim, *now, *after}, key=lambda item: (item.version, int(item)))
    differ = [item for item in addresses if not aim.get(item) == now.get(item) == after.get(item)]
    if len(differ) > _ONE_BY_ONE:
        yield _many(node, wanted.port, differ, (aim, now, after))
        return
    for address in differ:
        states = [item.get(address, "none") for item in (aim, now, after)]
        three = _Three(node, f"The static entry of {address} by {wanted.port}", *states)
        yield from three.item("neighbour", f"{wanted.port} {address}")


def _many(
    node: str, port: str, differ: list[Address], tables: tuple[Mapping[Address, str], ...]
) -> DriftItem:
    aim, now, after = tables
    runs_wrong = [str(item) for item in differ if aim.get(item) != now.get(item)]
    kept_wrong = [str(item) for item in differ if aim.get(item) != after.get(item)]
    reboot = any(now.get(item) != after.get(item) for item in differ)
    text = f"{len(differ)} static entries of {port} on {node} are not as intended: "
    text += f"running {listing(runs_wrong) or 'as intended'}; saved {listing(kept_wrong) or 'as intended'}."
    text += " A reboot would change what runs." if reboot else " A reboot would not fix it."
    counts = [f"{len(aim)} entries"]
    counts += [f"{len(wrong)} wrong" if wrong else counts[0] for wrong in (runs_wrong, kept_wrong)]
    return DriftItem(f"{port} static entries", "neighbour", counts[0], counts[1], counts[2], reboot, text)


def _files(intended: NodeArp, observed: ObservedArp, found: Sequence[DriftItem]) -> Iterable[DriftItem]:
    """Files whose own blocks are not as written, or gone. `found`: all else in which the three differ.

    What an edited block brings about is told by that; that all of a file is another one is told besides.
    """
    differs = any(item.saved_differs for item in found)
    reboot = any(item.reboot for item in found)
    for path, render in (
        (intended.files.config, rendering.render_config),
        (intended.files.settings, rendering.render_settings),
    ):
        current = saved_file(observed, path).text
        try:
            same = render(intended, current) == current
        except ValueError as error:
            text = f"{path} of {intended.node} cannot be written: {error}."
            yield DriftItem(path, "arp_file", "as written", "", "unreadable", True, text)
            continue
        if same or (differs and not current):
            continue
        if replaced(current):
            yield _replaced(intended.node, path, differs, reboot)
        elif not differs:
            text = (
                f"{path} of {intended.node} gives the intended settings, but the text between our marks"
                " was edited by hand."
            )
            yield DriftItem(path, "arp_file", "as written", "", "edited", False, text)


def _replaced(node: str, path: str, differs: bool, reboot: bool) -> DriftItem:
    text = f"{path} of {node} no longer has our block: the whole file was replaced."
    if not differs:
        text += " It gives the intended settings, so a reboot would change nothing now, but no"
        text += " change will update these lines."
    elif reboot:
        text += " A reboot would start its settings, not the intended ones."
    return DriftItem(path, "arp_file", "as written", "", "replaced", differs and reboot, text)
