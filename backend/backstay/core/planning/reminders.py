"""What a person has to save by hand on a device that Backstay does not change, in sentences.

"Saved" is a state of its own on each of them: what only runs is gone at the next boot. Where a system lets
nobody read whether it was saved, a reminder in the change's checklist is all that there can be.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

_SAVE: Mapping[str, str] = {
    "aix": "Run savebase on it afterwards: otherwise the next boot loses it, as happened at Argonne.",
    "grf": "Save its configuration afterwards (the backup group of its MIB does), and read it back.",
    "ps32": "Save its configuration and its pathways on the switch afterwards: it boots from the saved copy.",
    "irix": "Add it to its boot files: a reboot loses what ifconfig and route set.",
    "solaris": "Add it to its boot files: a reboot loses what ifconfig and route set.",
    "vyos": "Commit and save it: the next boot loses what was only committed.",
    "linux": "Add it to its boot files: a reboot loses what ip sets.",
}
_ANY = "Save it on the device afterwards and read it back: a reboot loses what is not saved."


def system_of(systems: Collection[str], description: str = "") -> str:
    """Which system a device is: by its source's `system`, else by words of its sysDescr; empty: unknown."""
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
    """What belongs to every setting that a person makes on a device of this system."""
    return [_SAVE.get(system, _ANY)]


def checklist(devices: Iterable[tuple[str, str]]) -> list[str]:
    """`grf1: Save its configuration ...` for each (name, system), each device once, by name."""
    return [f"{name}: {line}" for name, system in sorted(set(devices)) for line in reminders(system)]
