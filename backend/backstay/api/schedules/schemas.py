"""On-call schedules: rotation, restrictions, overrides, and who is on call."""

import datetime as dt
from typing import Annotated, Self

from pydantic import BaseModel, Field, model_validator

from backstay.api.channels.schemas import SlugText
from backstay.api.http.list_query import Text
from backstay.api.http.schemas import Body

PersonName = Annotated[str, Field(min_length=1, max_length=150)]
Weekday = Annotated[int, Field(ge=0, le=6, description="0: Monday")]
ClockTime = Annotated[
    str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$", description="HH:MM on the zone's clock")
]
MAX_PEOPLE, MAX_OVERRIDES, MAX_TIMES = 100, 200, 50


class WeeklyTimeModel(Body):
    """A span of a week. An end that is not after the start is on the next day."""

    weekdays: list[Weekday] = Field(min_length=1, max_length=7)
    start: ClockTime
    end: ClockTime


class OverrideModel(Body):
    """A person who is on call instead of the rotation; the end is exclusive."""

    start: dt.datetime
    end: dt.datetime
    person: PersonName

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.start.tzinfo is None or self.end.tzinfo is None:
            raise ValueError("expected times with an offset, such as 2026-03-29T02:00:00+01:00")
        if self.start >= self.end:
            raise ValueError("expected an end after the start")
        return self


class ScheduleIn(Body):
    """Body of `POST /schedules` and `PUT /schedules/{id}`."""

    site: Text
    name: SlugText
    people: list[PersonName] = Field(min_length=1, max_length=MAX_PEOPLE, description="In order of rotation")
    zone: Text = Field("UTC", description="IANA time zone")
    starts_on: dt.date = Field(
        ge=dt.date(2000, 1, 1), le=dt.date(2100, 1, 1), description="Day on which the first person begins"
    )
    handover: ClockTime = "09:00"
    days: int = Field(7, ge=1, le=366, description="Days of one shift")
    restrictions: list[WeeklyTimeModel] = Field(
        default_factory=list, max_length=MAX_TIMES, description="When somebody is on call; empty: always"
    )
    overrides: list[OverrideModel] = Field(
        default_factory=list, max_length=MAX_OVERRIDES, description="The last one that applies counts"
    )


class ShiftOut(BaseModel):
    """One person's time of the rotation."""

    person: str
    start: dt.datetime
    end: dt.datetime


class ScheduleOut(BaseModel):
    """A schedule and who is on call."""

    id: int
    name: str
    site: str
    people: list[str]
    zone: str
    starts_on: dt.date
    handover: str
    days: int
    restrictions: list[WeeklyTimeModel]
    overrides: list[OverrideModel]
    on_call: str | None = Field(description="The person on call now; null: nobody")
    without_channel: list[str] = Field(description="People who have no enabled channel of their own")
    shifts: list[ShiftOut] = Field(description="The current shift of the rotation and those that follow")
    changed_at: dt.datetime


class PersonOut(BaseModel):
    """A person who can be on call or own an incident."""

    id: int
    name: str = Field(description="User name, as in the people of a schedule")
    has_channel: bool = Field(description="Whether schedules reach the person: by an enabled channel there")
