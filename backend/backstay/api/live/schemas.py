"""Messages of the live channel."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, Field

from backstay.api.events.schemas import EventOut
from backstay.api.links.schemas import LinkLoad


class LiveMessage(BaseModel):
    """What `GET /live` sends: SSE `event:` is `type`, `data:` this object, `id:` resumes after a break.

    load: `links` with changed values. Its `number` is one more than that of the load before. A number that
    the client has already changes nothing; after a missing one it reopens the stream, which begins with all
    links. changed: refetch `nouns` (e.g. `incidents`).
    event: one new event. gap: the stream cannot resume from the given id; refetch everything.
    """

    type: Literal["load", "changed", "event", "gap", "hello"]
    site: str
    at: datetime
    number: int | None = Field(None, description="Of a load: consecutive at this site within one stream")
    links: list[LinkLoad] = Field(default_factory=list)
    nouns: list[str] = Field(default_factory=list)
    event: EventOut | None = None


def describe_stream(operation: dict[str, Any]) -> None:
    """Correct the operation's document, in place: it answers with events, whose `data` is a LiveMessage.

    Ninja declares every response as JSON. OpenAPI 3.1 cannot describe a stream: the schema is one event's.
    """
    content = operation["responses"][200]["content"]
    message = content.pop("application/json")["schema"]
    data = {"type": "string", "contentMediaType": "application/json", "contentSchema": message}
    fields = {"event": {"type": "string"}, "id": {"type": "string"}, "data": data}
    content["text/event-stream"] = {
        "schema": {"type": "object", "properties": fields, "required": ["event", "data"]}
    }
