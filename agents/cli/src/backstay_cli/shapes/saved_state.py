"""What runs on nodes and devices and what their next boot will make of it."""

from __future__ import annotations

from backstay_cli.shapes.base import Shape


class SavedItem(Shape):
    """One thing of one port."""

    port: str
    what: str
    running: str
    saved: str
    verdict: str


class SavedNode(Shape):
    """One node or device."""

    node: str
    state: str
    text: str
    files: list[str]
    items: list[SavedItem]
    reported: list[str]
    reminders: list[str]

    @property
    def differs(self) -> bool:
        """Whether a boot is known to change something of it; what nobody can read is no difference."""
        return any(item.verdict == "differs" for item in self.items)
