"""Maintenance windows, calendar files and feeds."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, Field

from backstay.alerts.windows.models import TargetKind
from backstay.alerts.windows.recurrence import (
    LONGEST_RULE,
    LONGEST_S,
    MOST_ADDED,
    MOST_EXCLUDED,
    SHORTEST_S,
)
from backstay.alerts.windows.services import MOST_TARGETS
from backstay.api.http.list_query import Id
from backstay.api.http.schemas import Body
from backstay.core.model.progress import WindowState

MAX_CALENDAR = 1_000_000
Name = Annotated[str, Field(min_length=1, max_length=100)]
Zone = Annotated[str, Field(max_length=64, description="IANA time zone, e.g. Europe/Zurich")]


class WindowTarget(Body):
    """One object that a window is about; what depends on it is in maintenance too."""

    kind: TargetKind
    id: Id | None = Field(None, description="null: the site")


class WindowSwitches(Body):
    """What a window stops."""

    mutes_notifications: bool = Field(True, description="Incidents about its objects do not notify")
    pauses_rules: bool = Field(False, description="No incident opens; those raised before still resolve")
    pauses_tests: bool = Field(True, description="No throughput test starts on its objects")


class AddedOccurrence(Body):
    """An occurrence besides those of the rule: a further date, or one that was moved."""

    begins_at: AwareDatetime
    duration_s: int = Field(ge=SHORTEST_S, le=LONGEST_S)


class MaintenanceWindowIn(WindowSwitches):
    """Body of `POST /maintenance-windows` and `PUT /maintenance-windows/{id}`."""

    site: str
    name: Name
    reason: str = Field("", max_length=2000)
    starts_at: AwareDatetime = Field(description="Start of the first occurrence")
    duration_s: int = Field(ge=SHORTEST_S, le=LONGEST_S, description="Elapsed seconds of each occurrence")
    zone: Zone = "UTC"
    rule: str = Field(
        "",
        max_length=LONGEST_RULE,
        description="RRULE of RFC 5545, at most daily, in local time of `zone`; empty: once",
    )
    excluded: list[Annotated[str, Field(max_length=32)]] = Field(
        default_factory=list,
        max_length=MOST_EXCLUDED,
        description="Local starts that are left out, e.g. 2026-12-24T22:00:00",
    )
    added: list[AddedOccurrence] | None = Field(
        None, max_length=MOST_ADDED, description="Further occurrences; null: those that are stored stay"
    )
    targets: list[WindowTarget] = Field(min_length=1, max_length=MOST_TARGETS)


class WindowTargetOut(BaseModel):
    """One object that a window is about, with its page."""

    kind: TargetKind
    id: int | None
    name: str
    url: str | None


class OccurrenceOut(BaseModel):
    """One time of a window."""

    begins_at: datetime
    ends_at: datetime


class MaintenanceWindowOut(BaseModel):
    """A planned time for objects of a site and what depends on them."""

    id: int
    name: str
    kind: Literal["maintenance-window"] = "maintenance-window"
    site: str
    state: WindowState
    since: datetime = Field(description="Start of the current occurrence, otherwise the last change")
    age_s: float
    reason: str
    starts_at: datetime
    duration_s: int
    zone: str
    rule: str
    excluded: list[str]
    added: list[AddedOccurrence] = Field(description="Further and moved occurrences")
    begins_at: datetime | None = Field(description="Of the current or next occurrence; null: it is over")
    ends_at: datetime | None
    mutes_notifications: bool
    pauses_rules: bool
    pauses_tests: bool
    targets: list[WindowTargetOut]
    author: str | None
    created_at: datetime
    changed_at: datetime
    url: str


class MaintenanceWindowDetail(MaintenanceWindowOut):
    """A window with its next occurrences and what it covers."""

    upcoming: list[OccurrenceOut] = Field(description="The current and next ones, ten at most")
    everything: bool = Field(description="Whether it covers the whole site")
    nodes: int = Field(description="Number of nodes that it covers, dependants included")
    links: int
    paths: int


class CalendarFileIn(WindowSwitches):
    """Body of `POST /maintenance-windows/import`: an iCalendar file for these objects."""

    site: str
    text: str = Field(max_length=MAX_CALENDAR)
    zone: Zone = Field("UTC", description="Of times without a time zone")
    targets: list[WindowTarget] = Field(min_length=1, max_length=MOST_TARGETS)
    dry_run: bool = False


class CalendarEventOut(BaseModel):
    """An event of a file that can become a window."""

    uid: str
    name: str
    zone: str
    rule: str
    upcoming: list[OccurrenceOut]


class CalendarProblemOut(BaseModel):
    """An event of a file that cannot become a window."""

    name: str
    text: str


class CalendarFileOut(BaseModel):
    """What an import did, or would do."""

    events: list[CalendarEventOut]
    problems: list[CalendarProblemOut] = Field(description="Events that are left out")
    created: int
    changed: int = Field(description="Windows of events that were imported before")


class CalendarFeedIn(Body):
    """Body of `POST /calendar-feeds`."""

    site: str
    name: Name


class CalendarFeedOut(BaseModel):
    """A secret address at which calendars read the site's windows."""

    id: int
    name: str
    site: str
    author: str | None
    created_at: datetime


class NewCalendarFeedOut(CalendarFeedOut):
    """A new feed."""

    path: str = Field(description="Path of its address; it is shown only now")
