"""What can be set of a wallboard: the one list that API, pages and command line share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar


class WallboardPage(StrEnum):
    """A page of the rotation."""

    OVERVIEW = "overview"
    INCIDENTS = "incidents"
    MAP = "map"
    PATHS = "paths"
    LINKS = "links"


class WallboardTheme(StrEnum):
    """Colours of the screen."""

    DARK = "dark"
    LIGHT = "light"
    SYSTEM = "system"


class TextSize(StrEnum):
    """Size of the text; normal is readable from 5 m on a screen of 1920 x 1080."""

    NORMAL = "normal"
    LARGE = "large"
    LARGEST = "largest"


LEAST_S, MOST_S, DEFAULT_S = 5, 600, 20
"""Seconds for which a page of the rotation is shown."""
PAGE_LABELS: Mapping[WallboardPage, str] = {
    WallboardPage.OVERVIEW: "Overview",
    WallboardPage.INCIDENTS: "Incidents",
    WallboardPage.MAP: "Map",
    WallboardPage.PATHS: "Paths",
    WallboardPage.LINKS: "Busiest links",
}
THEME_LABELS: Mapping[WallboardTheme, str] = {
    WallboardTheme.DARK: "Dark",
    WallboardTheme.LIGHT: "Light",
    WallboardTheme.SYSTEM: "System",
}
SIZE_LABELS: Mapping[TextSize, str] = {
    TextSize.NORMAL: "Normal",
    TextSize.LARGE: "Large",
    TextSize.LARGEST: "Largest",
}

ChoiceT = TypeVar("ChoiceT", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class WallboardSpec:
    """What a person sets of a wallboard's screen."""

    name: str
    pages: tuple[WallboardPage, ...]
    seconds: int
    theme: WallboardTheme
    text_size: TextSize


def wallboard_choices() -> dict[str, object]:
    """Plain data for clients: choices with labels, limits of the seconds."""
    return {
        "pages": _choices(PAGE_LABELS),
        "themes": _choices(THEME_LABELS),
        "text_sizes": _choices(SIZE_LABELS),
        "seconds": {"least": LEAST_S, "most": MOST_S, "default": DEFAULT_S},
    }


def _choices(labels: Mapping[ChoiceT, str]) -> list[dict[str, str]]:
    return [{"value": value.value, "label": label} for value, label in labels.items()]
