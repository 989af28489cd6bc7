"""What a link carries."""

from datetime import datetime

from pydantic import BaseModel, Field


class Load(BaseModel):
    """Traffic in one direction, from the newest sample of either end."""

    bps: int
    utilisation: float = Field(description="0..1 of the usable rate; may pass 1 by measuring error")
    peak_bps: int | None = Field(
        None, description="Busiest second of the interval, where the source measures it"
    )
    at: datetime = Field(description="End of the interval")
    fresh: bool = Field(description="False when older than two intervals")


class LinkLoad(BaseModel):
    """One link's load in a live message."""

    id: int
    forward: Load | None
    back: Load | None
