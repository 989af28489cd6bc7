"""Exports of history."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from backstay.api.http.list_query import Id, Text
from backstay.api.http.schemas import Body
from backstay.api.links.schemas import HistoryGapOut
from backstay.core.export_plan import ExportFormat, ExportLevel, ExportState

MOST_CHOSEN = 1000
Chosen = Annotated[list[Id], Field(max_length=MOST_CHOSEN)]


class ExportIn(Body):
    """Body of `POST /exports`: at most one of `links`, `ports` and `fabric`; none of them: the whole site."""

    site: Text | None = Field(None, description="Name of the site; default: the first site that you may see")
    format: ExportFormat = "csv"
    level: ExportLevel = Field(
        "auto",
        description="samples, or roll-ups of 5 minutes, 1 hour or 1 day. auto: roll-ups that have at least"
        " 2000 bins in the range, and samples and other roll-ups where these are not stored",
    )
    start: Text = "now-1d"
    end: Text = "now"
    links: Chosen = Field([], description="Ids of links: their ports at both ends")
    ports: Chosen = Field([], description="Ids of ports")
    fabric: Text | None = Field(None, description="Name of a fabric: all its ports")


class ExportOut(BaseModel):
    """An export, its progress and its gaps."""

    id: int
    site: str
    by: str = Field(description="User who asked for it")
    format: ExportFormat
    level: ExportLevel
    start: datetime
    end: datetime
    selection: str = Field(description="`3 links`, `1 port`, `fabric eth0` or `whole site`")
    state: ExportState
    text: str = Field(description="The state as a sentence, with the reason of a delay or a failure")
    created_at: datetime
    ended_at: datetime | None
    expires_at: datetime | None = Field(description="When it is deleted; null: not ended")
    progress: float = Field(description="0..1, of the time range")
    rows: int
    bytes: int = Field(description="Size of the file, or of what is written of it")
    gaps: list[HistoryGapOut] = Field(
        description="Time whose data are not stored or cannot be read; the first 100. The file names all gaps"
    )
    gap_count: int
    filename: str
    download: str | None = Field(description="Address of the file; null: not complete")
    can_delete: bool
