"""Notification routes: which incidents go to whom, and when."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from backstay.api.channels.schemas import SlugText
from backstay.api.http.list_query import Id, Text
from backstay.api.http.schemas import Body
from backstay.api.incidents.schemas import IncidentKind
from backstay.api.schedules.schemas import MAX_TIMES, WeeklyTimeModel

Severity = Literal["warning", "critical"]
MAX_VALUES, MAX_STEPS, MAX_TARGETS = 100, 10, 50
DAY_S = 86_400.0
Names = Annotated[list[Text], Field(max_length=MAX_VALUES)]


class MatchersModel(Body):
    """Every field that is not empty must match; of labels all, of other fields one value."""

    severities: list[Severity] = Field(default_factory=list, max_length=2)
    kinds: list[IncidentKind] = Field(default_factory=list, max_length=MAX_VALUES)
    roles: Names = Field(default_factory=list, description="Roles of the node, or of the link's ends")
    fabrics: Names = Field(default_factory=list, description="Fabrics of the link, or of the node's ports")
    labels: dict[str, Text] = Field(default_factory=dict, max_length=MAX_VALUES)
    times: list[WeeklyTimeModel] = Field(
        default_factory=list, max_length=MAX_TIMES, description="When the route applies; empty: always"
    )
    zone: Text = Field("UTC", description="IANA time zone of `times`")


class StepModel(Body):
    """Who is notified, and how long after the first message if nobody has acknowledged."""

    after_s: float = Field(ge=0, le=7 * DAY_S)
    channels: list[Id] = Field(default_factory=list, max_length=MAX_TARGETS)
    schedules: list[Id] = Field(
        default_factory=list, max_length=MAX_TARGETS, description="The person on call, by their own channels"
    )


class NotificationRouteIn(Body):
    """Body of `POST /notification-routes` and `PUT /notification-routes/{id}`."""

    site: Text
    name: SlugText
    position: int = Field(0, ge=0, le=10_000, description="Routes with a lower position are tried first")
    enabled: bool = True
    matchers: MatchersModel = Field(default_factory=MatchersModel)
    steps: list[StepModel] = Field(min_length=1, max_length=MAX_STEPS, description="The first one at 0 s")
    group_wait_s: float = Field(
        10.0, ge=0, le=300, description="From the first change to its message: root causes become known"
    )
    group_interval_s: float = Field(
        300.0, ge=10, le=DAY_S, description="Between messages; only a new critical incident may come sooner"
    )
    repeat_s: float = Field(
        14_400.0, ge=0, le=7 * DAY_S, description="Between reminders of what nobody acknowledged; 0: none"
    )
    send_resolved: bool = True
    continues: bool = Field(False, description="Whether later routes are tried after this one matched")


class StepOut(BaseModel):
    """A step with the names of its targets."""

    after_s: float
    channels: list[int]
    schedules: list[int]
    targets: list[str] = Field(description="Names of the channels and schedules")


class NotificationRouteOut(BaseModel):
    """A notification route."""

    id: int
    name: str
    site: str
    position: int
    enabled: bool
    matchers: MatchersModel
    steps: list[StepOut]
    group_wait_s: float
    group_interval_s: float
    repeat_s: float
    send_resolved: bool
    continues: bool
    changed_at: datetime
