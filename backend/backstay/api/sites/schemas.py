"""Sites: one cluster's networks under one set of operators."""

from datetime import datetime

from pydantic import BaseModel, Field

from backstay.api.http.schemas import Body, Problem
from backstay.inventory.site_file.reader import MAX_TEXT


class SiteOut(BaseModel):
    """One cluster's networks under one set of operators."""

    id: int
    name: str
    title: str
    interval_s: float
    rate_scale: float = Field(
        description="Lab only: factor from real rates to rates on the wire; 1 at a real site"
    )
    imported_at: datetime


class SiteListed(SiteOut):
    """A site in a list."""

    last_reported_at: datetime | None = Field(
        description="Latest report from any of its nodes; null: none yet"
    )
    confirming: int = Field(description="Changes that await confirmation")


class SiteFileIn(Body):
    """Body of `POST /site-files`: the YAML text itself."""

    text: str = Field(max_length=MAX_TEXT)
    name: str = Field("site.yaml", max_length=255, description="File name used in messages")
    dry_run: bool = False


class SiteFileError(BaseModel):
    """One error in a site file."""

    file: str
    line: int
    key: str
    expected: str


class SiteFileReport(BaseModel):
    """Result of an import or a dry run."""

    site: str
    created: int
    changed: int
    removed: int
    unchanged: int


class SiteFileRefused(Problem):
    """A rejected site file or request; nothing was imported."""

    errors: list[SiteFileError] = Field(
        [], description="Errors in the file; absent: `fields` names the invalid fields"
    )
