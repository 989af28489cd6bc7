"""Base of all messages: strict about unknown fields, immutable once created."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints


class Message(BaseModel):
    """Base of every message: unknown fields are an error, values do not change after validation, and every
    number is finite, because JSON has no other.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


Interval = Annotated[float, Field(gt=0, le=3600)]
"""Seconds."""
Name = Annotated[str, StringConstraints(min_length=1, max_length=128)]
"""A node, port, gateway or policy name: data from a device or an operator, never markup."""

Text = Annotated[str, StringConstraints(max_length=1024)]
"""Free text from a device (sysDescr, ifAlias, a daemon's message); bounded, otherwise untouched."""
