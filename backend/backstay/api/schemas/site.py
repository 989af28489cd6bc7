"""Sites: one cluster's networks under one set of operators."""

from datetime import datetime

from pydantic import BaseModel, Field


class SiteOut(BaseModel):
    """One cluster's networks under one set of operators."""

    id: int
    name: str
    title: str
    interval_s: float
    rate_scale: float = Field(
        description="Lab only: rates on the wire are the real ones times this; 1 on a real site"
    )
    imported_at: datetime


class SiteListed(SiteOut):
    """A site among the others that one may see."""

    heard_at: datetime | None = Field(description="When any of its nodes was heard last; null when never")
