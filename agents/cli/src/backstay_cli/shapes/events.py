"""Events, and messages of the live stream."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from backstay_cli.shapes.base import Shape


class EventOut(Shape):
    """Something that happened."""

    id: int
    kind: str
    name: str
    state: str
    since: datetime
    message: str


class LiveMessage(Shape):
    """One message of the live stream."""

    type: str
    event: dict[str, Any] | None
