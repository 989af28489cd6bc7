"""Routing engines of nodes."""

from typing import Literal

from pydantic import BaseModel

EngineName = Literal["kernel", "frr", "bird", "gated"]


class NodeEngine(BaseModel):
    """How a node's routes are installed, as the site file says; null: Backstay does not manage them."""

    node: str
    engine: EngineName | None
    config: str | None
