"""What clients send: the base of every request's body, and of the parts within one."""

from pydantic import BaseModel, ConfigDict


class Body(BaseModel):
    """A field that is not declared is refused by its name (422), so that none is quietly ignored."""

    model_config = ConfigDict(extra="forbid")
