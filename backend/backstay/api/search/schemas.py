"""Results of the search."""

from typing import Literal

from pydantic import BaseModel, Field

SearchKind = Literal[
    "node",
    "port",
    "link",
    "fabric",
    "circuit",
    "policy",
    "change",
    "drill",
    "incident",
    "test plan",
    "paper",
    "window",
    "rule",
    "channel",
    "schedule",
    "neighbour",
]


class SearchResult(BaseModel):
    """An object that matches."""

    kind: SearchKind
    name: str
    detail: str
    why: str = Field(description="Why it matched: name, text, similar name, or the address that it has")
    url: str


class SearchResults(BaseModel):
    """Objects by reason and rank: addresses first, then names, then other texts."""

    query: str
    items: list[SearchResult]
