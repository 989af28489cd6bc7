"""What a person has to save by hand on a device that Backstay does not change, in sentences.

"Saved" is a state of its own on each of them: what only runs is gone at the next boot. Where a system lets
nobody read whether it was saved, a reminder in the change's checklist is all that there can be.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

_SAVE: Mapping[str, str] = {
    "aix": "Run savebase on it afterwards: without it the setting is gone at the next boot, as at Argonne.",
    "grf": "Save its configuration afterwards (the backup group of its MIB does), and read it back.",
    "ps32": "Save its configuration and its pathways on the switch afterwards: it boots from what was saved.",
    "irix": "Put it into the files that its boot reads: what ifconfig and route set is gone after it.",
    "solaris": "Put it into the files that its boot reads: what ifconfig and route set is gone after it.",
    "vyos": "Commit and save it: commit alone is gone at the next boot.",
    "linux": "Put it into the files that its boot reads: what ip sets is gone at the next boot.",
}
_ANY = "Save it on the device afterwards and read it back: what only runs is gone at the next boot."


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
