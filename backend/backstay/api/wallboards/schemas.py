"""Wallboards: what a person sets, and what a screen reads of its own."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, Field, StringConstraints, field_validator

from backstay.api.http.list_query import Text
from backstay.api.http.schemas import Body
from backstay.core.alerting.wallboard import (
    DEFAULT_S,
    LEAST_S,
    MOST_S,
    TextSize,
    WallboardPage,
    WallboardTheme,
)

WallboardState = Literal["active", "expired", "revoked"]
WallboardName = Annotated[str, StringConstraints(min_length=1, max_length=100, strip_whitespace=True)]


class WallboardIn(Body):
    """Body of `POST /wallboards` and `PUT /wallboards/{id}`."""

    site: Text
    name: WallboardName
    pages: list[WallboardPage] = Field(
        default_factory=lambda: list(WallboardPage),
        min_length=1,
        max_length=len(WallboardPage),
        description="In the order of the rotation",
    )
    seconds: int = Field(DEFAULT_S, ge=LEAST_S, le=MOST_S, description="For which each page is shown")
    theme: WallboardTheme = WallboardTheme.DARK
    text_size: TextSize = TextSize.NORMAL
    expires_at: AwareDatetime | None = Field(None, description="null: never")

    @field_validator("pages")
    @classmethod
    def _once(cls, pages: list[WallboardPage]) -> list[WallboardPage]:
        if len(set(pages)) < len(pages):
            raise ValueError("expected each page once")
        return pages


class WallboardOut(BaseModel):
    """A wallboard without its token."""

    id: int
    name: str
    site: str
    pages: list[WallboardPage]
    seconds: int
    theme: WallboardTheme
    text_size: TextSize
    state: WallboardState
    expires_at: datetime | None
    created_by: str = Field(description="Empty: the user was removed")
    created_at: datetime
    changed_at: datetime
    used_at: datetime | None = Field(description="Last use, to the minute")
    revoked_at: datetime | None


class NewWallboardOut(WallboardOut):
    """A wallboard with a new token."""

    path: str = Field(
        description="Path of its page at this address, with the token; it cannot be read again. Browsers do"
        " not send what follows the #, so that no log holds the token."
    )


class CurrentWallboardOut(BaseModel):
    """What a screen reads of its own wallboard."""

    name: str
    site: str
    pages: list[WallboardPage]
    seconds: int
    theme: WallboardTheme
    text_size: TextSize
    expires_at: datetime | None
    build: str = Field(
        description="Identifies the pages that this server serves; a screen reloads when it changes"
    )
