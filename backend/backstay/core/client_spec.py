"""Facts that clients take from the server: the `x-backstay` extension of openapi.json."""

from __future__ import annotations

from backstay.core.formatting import FORMAT_SPEC
from backstay.core.thresholds import THRESHOLDS


def client_spec() -> dict[str, object]:
    """Plain JSON-able data: number formats with golden examples, and thresholds."""
    return {"formatting": FORMAT_SPEC, "thresholds": THRESHOLDS}
