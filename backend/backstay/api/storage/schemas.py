"""Disk use of history."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.health.router import ArchiveOut
from backstay.retention.storage import HistoryLevel


class StorageLevelOut(BaseModel):
    """One level of history, at the site and in all."""

    level: HistoryLevel
    days: int = Field(description="Days that the site keeps it; 0: for ever")
    is_own: bool = Field(description="Whether the site's file sets them; otherwise the installation does")
    bytes: int = Field(
        description="Of the site: of the archive its own files, of tables a part by its number of ports"
    )
    daily_bytes: int | None = Field(
        description="Growth each day, until as much is removed; null: no whole day is stored yet"
    )
    predicted_bytes: int | None = Field(
        description="Once as much is removed as added; null: without limit, or the growth is not known"
    )
    all_sites_bytes: int
    all_sites_predicted_bytes: int | None


class StorageDiskOut(BaseModel):
    """A disk that history is on."""

    name: Literal["database", "archive", "database and archive"]
    free_bytes: int | None = Field(description="null: unknown")
    why_unknown: str = Field(description="Why the free space or the day is unknown; empty: both are known")
    full_at: datetime | None = Field(description="null: unknown, or not within 100 years")


class StorageOut(BaseModel):
    """Disk use of history, its prediction, and the archive's state."""

    site: str
    at: datetime
    levels: list[StorageLevelOut]
    disks: list[StorageDiskOut]
    database_bytes: int = Field(description="Of the whole database, with all other tables")
    archive: ArchiveOut | None = Field(description="null: nothing is archived")
