"""Labels of states: carrier, end-to-end state, use and role of a gateway. They come from the server."""

from __future__ import annotations

from rich.text import Text

from backstay_cli.output import state_label
from backstay_cli.text import SPEC

_SPECS: dict[str, dict[str, dict[str, str]]] = SPEC["states"]


def fact_label(fact: str, state: str, text: str = "") -> Text:
    """`✕ dead` in the state's colour, or the glyph with another text; an unknown state is shown unchanged."""
    spec = _SPECS[fact].get(state)
    if spec is None:
        return state_label(state, text)
    return state_label(spec["tone"], f"{spec['glyph']} {text or spec['label']}")
