"""Moves: a path kept on a gateway for a time."""

from pydantic import Field

from backstay.api.schemas.body import Body
from backstay.api.schemas.reason import Reason


class MoveIn(Body):
    """Body of `POST /paths/{id}/move`: keep the path on a gateway for a time."""

    gateway: str
    seconds: float = Field(600.0, ge=5, le=86_400)
    reason: Reason = ""
