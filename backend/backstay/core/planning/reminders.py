"""Reminders to save manual settings on devices that Backstay does not configure.

Running and saved state differ on these devices: unsaved settings are lost at the next boot. If a device does
not report whether it was saved, the checklist is the only reminder.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

_SAVE: Mapping[str, str] = {
    "aix": "Then run savebase on it: otherwise the next boot loses the setting, as happened at Argonne.",
    "grf": "Then save its configuration (backup group of its MIB) and read it back.",
    "ps32": "Then save its configuration and its pathways on the switch: it boots from the saved copy.",
    "irix": "Also add it to the boot files: a reboot loses settings made by ifconfig and route.",
    "solaris": "Also add it to the boot files: a reboot loses settings made by ifconfig and route.",
    "vyos": "Commit and save it: a reboot loses settings that were only committed.",
    "linux": "Also add it to the boot files: a reboot loses settings made by ip.",
}
_ANY = "Then save it on the device and read it back: a reboot loses unsaved settings."


def system_of(systems: Collection[str], description: str = "") -> str:
    """System of a device: its source's `system`, otherwise from keywords in sysDescr; empty: unknown."""
    for system in systems:
        if system in _SAVE:
            return system
    folded = description.casefold()
    keywords = {
        "gigarouter": "grf",
        "grf": "grf",
        "ps-32": "ps32",
        "aix": "aix",
        "irix": "irix",
        "vyos": "vyos",
    }
    return next((system for keyword, system in keywords.items() if keyword in folded), "")


def reminders(system: str) -> list[str]:
    """Reminders for every manual setting on a device of this system."""
    return [_SAVE.get(system, _ANY)]


def checklist(devices: Iterable[tuple[str, str]]) -> list[str]:
    """`grf1: Save its configuration ...` for each (name, system), each device once, by name."""
    return [f"{name}: {line}" for name, system in sorted(set(devices)) for line in reminders(system)]
