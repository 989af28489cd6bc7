"""Fabrics: one network of the cluster each."""

from typing import Literal

from pydantic import BaseModel, Field


class FabricOut(BaseModel):
    """One network technology instance at a site."""

    id: int
    name: str
    title: str
    kind: str
    media_rate: int
    usable_rate: int = Field(description="After encoding and framing, and after the site's rate_scale")
    mtu: int
    arp: Literal["on", "off", "none"]
    ports: int
    url: str
