"""Where intended, running and saved differ."""

from __future__ import annotations

from backstay_cli.shapes.base import Shape


class DriftItem(Shape):
    """One prefix or file that differs."""

    what: str
    intended: str
    running: str
    saved: str


class DriftOut(Shape):
    """One node that differs."""

    node: str
    engine: str | None
    state: str
    age_s: float
    running_differs: bool
    saved_differs: bool
    reboot: bool
    on_fallback: bool
    text: str
    items: list[DriftItem]

    @property
    def drifts(self) -> bool:
        """Whether it is drift, and not only a checker on its fallback."""
        return self.running_differs or self.saved_differs
