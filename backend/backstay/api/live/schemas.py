"""Messages of the live channel."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.events.schemas import EventOut
from backstay.api.links.schemas import LinkLoad


class LiveMessage(BaseModel):
    """What `GET /live` sends: SSE `event:` is `type`, `data:` this object, `id:` resumes after a break.

    load: `links` with changed values. changed: refetch `nouns` (e.g. `incidents`).
    event: one new event. gap: the stream cannot resume from the given id; refetch everything.
    """

    type: Literal["load", "changed", "event", "gap", "hello"]
    site: str
    at: datetime
    links: list[LinkLoad] = Field(default_factory=list)
    nouns: list[str] = Field(default_factory=list)
    event: EventOut | None = None
