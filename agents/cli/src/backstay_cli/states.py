"""Labels of states of the network and of changes, drills and tests. They come from the server."""

from __future__ import annotations

from rich.text import Text

from backstay_cli.output import state_label
from backstay_cli.text import SPEC

_SPECS: dict[str, dict[str, dict[str, str]]] = SPEC["states"]
_PROGRESS: dict[str, dict[str, dict[str, str]]] = SPEC["progress"]
LEVELS = {"passed": "ok", "warning": "warning", "failed": "critical"}
"""Result of a check -> the state that determines its colour."""


def fact_label(fact: str, state: str, text: str = "") -> Text:
    """`✕ dead` in the state's colour, or the glyph with another text; an unknown state is shown unchanged."""
    spec = _SPECS[fact].get(state)
    if spec is None:
        return state_label(state, text)
    return state_label(spec["tone"], f"{spec['glyph']} {text or spec['label']}")


def progress_label(what: str, state: str, text: str = "") -> Text:
    """The label of a change's, drill's or run's state, or another text, in the state's colour."""
    spec = _PROGRESS[what].get(state)
    if spec is None:
        return state_label(state, text)
    return state_label(spec["tone"], text or spec["label"])
