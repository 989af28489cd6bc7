"""Compare an intended extension node with its router's row, attribute by attribute.

SDR names are those of the classes DependentNode, DependentAdapter and Switch_partition that are documented
literally; other attributes have no name here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from backstay.core.formatting import count
from backstay.core.model.extension import Complex, Extension, ReportedExtension
from backstay.core.model.plan import Finding

ExtensionState = Literal["ok", "warning", "critical", "unknown"]
Verdict = Literal["same", "differs", "degraded", "not_reported", "not_declared"]
"""`degraded`: a state that carries no traffic; `not_declared`: no intended value is recorded."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """One line of the comparison."""

    key: str
    title: str
    sdr: str
    """`Class.attribute`; empty: unknown or none."""
    object: str
    """Object of the SP dependent-node MIB; empty: none."""
    intended: str | None
    reported: str | None
    verdict: Verdict
    text: str
    """Effect of the difference, as a sentence; empty without a difference."""
    severe: bool = False
    """Whether the difference causes packet loss."""


@dataclass(frozen=True, slots=True)
class _Line:
    key: str
    title: str
    sdr: str
    object: str
    means: str
    severe: bool = True


_LINES = (
    _Line("name", "Name", "", "ibmSPDepNodeName",
          "the control workstation writes to a row of another name"),
    _Line("number", "Node number", "DependentNode.node_number", "ibmSPDepNodeNumber",
          "the number belongs to another node", severe=False),
    _Line("token", "Switch token", "", "ibmSPDepSwToken", "the adapter is set up for another switch port"),
    _Line("arp", "ARP", "Switch_partition.arp_enabled", "ibmSPDepSwARP",
          "ARP must run on all switch interfaces or on none: it and the nodes cannot reach each other"),
    _Line("switch_number", "Switch node number", "DependentNode.switch_node_number", "ibmSPDepSwNodeNumber",
          "packets for it are sent to another port of the switch"),
    _Line("address", "Address", "DependentAdapter.netaddr", "ibmSPDepIPaddr",
          "it is unreachable at the intended address"),
    _Line("mask", "Mask", "DependentAdapter.netmask", "ibmSPDepNetMask",
          "it and the nodes consider different addresses local"),
    _Line("max_link_packet", "Largest packet", "", "ibmSPDepIPMaxLinkPkt",
          "one side sends packets that the other does not accept"),
    _Line("host_offset", "Host offset", "", "ibmSPDepIPHostOffset",
          "with ARP off it computes wrong switch node numbers"),
)  # fmt: skip
_STATES = (
    (_Line("config_state", "Adapter", "", "ibmSPDepConfigState",
           "only a fully configured adapter carries traffic"), "fullyConfigured"),
    (_Line("node_state", "On the switch", "", "ibmSPDepNodeState", "the switch does not reach it"), "nodeUp"),
    (_Line("admin", "Admin status", "", "ibmSPDepAdminStatus",
           "the control workstation has not set it up", severe=False), "up"),
)  # fmt: skip


def compare(known: Complex, wanted: Extension, reported: ReportedExtension | None) -> tuple[Attribute, ...]:
    """Every attribute; `reported` is None if no row of that name was read."""
    intended, values = _intended(known, wanted), _reported(reported)
    rows = [_judged(line, intended[line.key], values[line.key], known) for line in _LINES]
    port = wanted.switch_port
    if port is not None:
        names = "DependentNode.switch_number, switch_chip, switch_chip_port"
        rows.append(
            Attribute(
                "switch_port", "Chip port", names, "", "/".join(map(str, port)), None, "not_reported", ""
            )
        )
    rows += [_state(line, good, values[line.key]) for line, good in _STATES]
    return tuple(rows)


def drift(rows: tuple[Attribute, ...]) -> tuple[Attribute, ...]:
    """The attributes that differ, those that cause packet loss first."""
    return tuple(sorted((row for row in rows if row.verdict == "differs"), key=lambda row: not row.severe))


def extension_state(rows: tuple[Attribute, ...], checks: Iterable[Finding]) -> tuple[ExtensionState, str]:
    """By the worst problem: differences, then a state without traffic, then invalid intentions."""
    differing = drift(rows)
    unwell = [row for row in rows if row.verdict == "degraded"]
    failed = [finding for finding in checks if finding.level == "failed"]
    if differing or unwell:
        severe = any(row.severe for row in (*differing, *unwell))
        return "critical" if severe else "warning", _worst((*differing, *unwell))
    if failed:
        return "warning", failed[0].text.removesuffix(".")
    if all(row.reported is None for row in rows):
        return "unknown", "its router does not report a row of the SP dependent-node MIB"
    agreed = sum(row.verdict == "same" for row in rows)
    return "ok", f"the router agrees in {count(agreed, 'attribute')}"


def _worst(rows: tuple[Attribute, ...]) -> str:
    more = len(rows) - 1
    return rows[0].text.removesuffix(".") + (f", and {count(more, 'more difference')}" if more else "")


def _intended(known: Complex, wanted: Extension) -> dict[str, str | None]:
    interface = wanted.interface
    return {
        "name": wanted.name,
        "number": _text(wanted.number),
        "token": wanted.token or None,
        "arp": "enabled" if known.arp else "disabled",
        "switch_number": _text(wanted.switch_number),
        "address": None if interface is None else str(interface.ip),
        "mask": None if interface is None else str(interface.netmask),
        "max_link_packet": str(wanted.max_link_packet),
        "host_offset": _text(wanted.host_offset),
    }


def _reported(reported: ReportedExtension | None) -> dict[str, str | None]:
    row = reported or ReportedExtension()
    return {
        "name": row.name,
        "number": _text(row.number),
        "token": row.token,
        "arp": row.arp,
        "switch_number": _text(row.switch_number),
        "address": row.address,
        "mask": row.mask,
        "max_link_packet": _text(row.max_link_packet),
        "host_offset": _text(row.host_offset),
        "config_state": row.config_state,
        "node_state": row.node_state,
        "admin": row.admin,
    }


def _text(number: int | None) -> str | None:
    return None if number is None else str(number)


def _judged(line: _Line, intended: str | None, reported: str | None, known: Complex) -> Attribute:
    severe = line.severe and not (line.key == "host_offset" and known.arp)
    head = (line.key, line.title, line.sdr, line.object, intended, reported)
    if reported is None:
        return Attribute(*head, "not_reported", "")
    if intended is None:
        return Attribute(*head, "not_declared", "")
    if intended.lower() == reported.lower():
        return Attribute(*head, "same", "")
    text = f"{line.title} is {reported} on the router but {intended} is intended: {line.means}."
    return Attribute(*head, "differs", text, severe)


def _state(line: _Line, good: str, reported: str | None) -> Attribute:
    head = (line.key, line.title, line.sdr, line.object, good, reported)
    if reported is None:
        return Attribute(*head, "not_reported", "")
    if reported == good:
        return Attribute(*head, "same", "")
    return Attribute(*head, "degraded", f"{line.title} is {reported}: {line.means}.", line.severe)
