"""Channels: addresses that messages about incidents are delivered to."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field, JsonValue, WithJsonSchema

from backstay.alerts.notify.transports import TRANSPORTS
from backstay.api.http.list_query import Text
from backstay.api.http.schemas import Body

SlugText = Annotated[str, Field(min_length=1, max_length=50, pattern=r"^[a-zA-Z0-9][-a-zA-Z0-9_]*$")]
ChannelKind = Annotated[
    Text, WithJsonSchema({"type": "string", "enum": list(TRANSPORTS), "description": "The transport's kind"})
]
ChannelState = Literal["ok", "failing", "untried", "disabled"]


class ChannelIn(Body):
    """Body of `POST /channels` and `PUT /channels/{id}`."""

    site: Text
    name: SlugText
    kind: ChannelKind
    config: dict[str, JsonValue] = Field(
        default_factory=dict,
        max_length=50,
        description="Settings of the kind (`channel_kinds` of this document). A PUT may leave out secrets:"
        " the stored ones stay.",
    )
    person: Text = Field("", description="Whose it is: schedules reach the person by it; empty: everybody's")
    enabled: bool = True


class ChannelOut(BaseModel):
    """A channel without its secrets."""

    id: int
    name: str
    site: str
    kind: ChannelKind
    label: str = Field(description="Name of its kind")
    config: dict[str, JsonValue]
    secrets: list[str] = Field(description="Names of the secret settings that are stored")
    person: str
    enabled: bool
    state: ChannelState = Field(description="untried: nothing was delivered since its last change")
    since: datetime = Field(description="Since when it is in this state, as far as deliveries show it")
    failure: str = Field(description="Why it failed last; empty unless it is failing")
    worked_at: datetime | None = Field(description="Newest delivery that succeeded")
    waiting: int = Field(description="Deliveries that are not finished")


class ChannelTestOut(BaseModel):
    """Result of a test message."""

    delivered: bool
    reason: str = Field(description="Why it was not delivered; empty if it was")
    took_ms: float
    delivery_id: int
