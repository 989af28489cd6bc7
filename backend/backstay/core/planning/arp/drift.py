"""ARP drift: differences between intended, running and saved state of a node, and the effect of a reboot.

Like routing drift. If the boot files do not set a value, the kernel's default applies after a boot. The
default is unknown, so the saved state differs from the intended one and a reboot may change the value.
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
from backstay.core.rendering.arp.saved import Saved, SavedPortArp, saved

KINDS = frozenset({"arp", "setting", "neighbour", "arp_file"})
"""Kinds of ARP item; the others are routing items."""
_UNSET = "not set"
_ONE_BY_ONE = 8
"""Maximum number of differing entries per port that are listed individually."""


def arp_drift(intended: NodeArp, observed: ObservedArp) -> tuple[DriftItem, ...]:
    """Drift of one node. An unreadable file is an item."""
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
        text = f"{node} has no port {wanted.port}, but ARP settings are intended for it."
        yield DriftItem(wanted.port, "arp", "present", "missing", "present", False, text)
        return
    if wanted.arp is not None:
        states = flag(wanted.arp), flag(running.arp), flag(boot.arp is not False)
        three = _Three(node, f"ARP of {wanted.port}", *states)
        yield from three.item("arp", wanted.port)
        yield from _entries(node, wanted, running, boot)
    yield from _settings(node, wanted.port, dict(wanted.settings), dict(running.settings), boot.settings)


@dataclass(frozen=True, slots=True)
class _Three:
    """One value of one node, as text."""

    node: str
    subject: str
    intended: str
    running: str
    saved: str

    def item(self, kind: str, what: str) -> Iterable[DriftItem]:
        """No item if all three are equal."""
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
        if self.saved == _UNSET:
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
        now = str(running[name]) if name in running else "missing"
        boot = str(kept[name]) if name in kept else _UNSET
        what = f"{port} {name}".strip()
        of_port = f" of {port}" if port else ""
        yield from _Three(node, f"{name}{of_port}", str(value), now, boot).item("setting", what)


def _entries(node: str, wanted: PortArp, running: RunningPortArp, boot: SavedPortArp) -> Iterable[DriftItem]:
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
        three = _Three(node, f"The static entry for {address} on {wanted.port}", *states)
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
    """Files whose own blocks were edited or removed. `found`: all other differences.

    The effects of an edited block are already in `found`; a replaced file is reported in addition.
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
                f"{path} of {intended.node} contains the intended settings, but the text of Backstay's block"
                " was edited by hand."
            )
            yield DriftItem(path, "arp_file", "as written", "", "edited", False, text)


def _replaced(node: str, path: str, differs: bool, reboot: bool) -> DriftItem:
    text = f"{path} of {node} no longer contains Backstay's block: the whole file was replaced."
    if not differs:
        text += " It contains the intended settings, so a reboot would change nothing now. But"
        text += " changes no longer update these lines."
    elif reboot:
        text += " A reboot would apply its settings, not the intended ones."
    return DriftItem(path, "arp_file", "as written", "", "replaced", differs and reboot, text)
