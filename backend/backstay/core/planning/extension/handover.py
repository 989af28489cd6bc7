"""What a person does on the control workstation to attach an extension node, and with which values.

The commands are named, and the values stand in a table: the options that take them are in the commands' own
manual pages, and a line with a wrong one would change the wrong thing. All need root, act on the current
partition, and change the SDR only unless -r is given.
"""

from __future__ import annotations

from dataclasses import dataclass

from backstay.core.model.extension import Complex, Extension

Values = tuple[tuple[str, str], ...]
"""(attribute, value)."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do."""

    command: str
    """As it is typed, as far as that is known; empty: no command does it."""
    text: str
    values: Values = ()


def steps(known: Complex, wanted: Extension) -> tuple[Step, ...]:
    """In order; attributes that nobody decided are left out of the tables."""
    return (
        Step("endefnode", "Defines the extension node in the SDR.", _node(wanted)),
        Step("endefadapter", "Defines its adapter on the switch.", _adapter(known, wanted)),
        Step("enadmin -a reconfigure", "Makes the control workstation send them to the router by SNMP."),
        Step("", "Read the router's row back here: fullyConfigured, nodeUp, and no differences."),
        Step(
            "", "Save the router's configuration, otherwise its next boot restores the old adapter settings."
        ),
    )


def undo() -> tuple[Step, ...]:
    """The way back."""
    return (
        Step("enrmadapter", "Removes the adapter from the SDR."),
        Step("enrmnode", "Removes the extension node from the SDR."),
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
