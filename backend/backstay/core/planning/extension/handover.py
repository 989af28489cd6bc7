"""Manual steps on the control workstation to attach an extension node, with their values.

The commands are named and the values are listed in tables. The options that take the values are in the
commands' manual pages; a wrong option would change the wrong setting. All commands need root, act on the
current partition, and change only the SDR unless -r is given.
"""

from __future__ import annotations

from dataclasses import dataclass

from backstay.core.model.extension import Complex, Extension

Values = tuple[tuple[str, str], ...]
"""(attribute, value)."""


@dataclass(frozen=True, slots=True)
class ManualStep:
    """One manual step."""

    command: str
    """The command as far as known; empty: no command."""
    text: str
    values: Values = ()


def steps(known: Complex, wanted: Extension) -> tuple[ManualStep, ...]:
    """Steps in order; the tables omit undecided attributes."""
    return (
        ManualStep("endefnode", "Define the extension node in the SDR.", _node(wanted)),
        ManualStep("endefadapter", "Define its adapter on the switch.", _adapter(known, wanted)),
        ManualStep("enadmin -a reconfigure", "Make the control workstation send them to the router by SNMP."),
        ManualStep("", "Read the router's row back here. Expected: fullyConfigured, nodeUp, no differences."),
        ManualStep(
            "", "Save the router's configuration, otherwise its next boot restores the old adapter settings."
        ),
    )


def undo() -> tuple[ManualStep, ...]:
    """Steps that remove the extension node."""
    return (
        ManualStep("enrmadapter", "Remove the adapter from the SDR."),
        ManualStep("enrmnode", "Remove the extension node from the SDR."),
    )


def _node(wanted: Extension) -> Values:
    port = wanted.switch_port
    found: list[tuple[str, object]] = [
        ("name", wanted.name),
        ("node_number", wanted.number),
        ("switch_node_number", wanted.switch_number),
    ]
    if port is not None:
        found += zip(("switch_number", "switch_chip", "switch_chip_port"), port, strict=True)
    return _known(found)


def _adapter(known: Complex, wanted: Extension) -> Values:
    interface = wanted.interface
    return _known(
        [
            ("node_number", wanted.number),
            ("netaddr", None if interface is None else interface.ip),
            ("netmask", None if interface is None else interface.netmask),
            ("arp_enabled", "yes" if known.arp else "no"),
            ("largest packet", wanted.max_link_packet),
            ("host offset", wanted.host_offset),
        ]
    )


def _known(values: list[tuple[str, object]]) -> Values:
    return tuple((name, str(value)) for name, value in values if value is not None)
