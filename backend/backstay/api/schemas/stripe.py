"""Stripes: nodes spread over parallel gateways, and how evenly."""

from typing import Literal

from pydantic import BaseModel, Field

from backstay.api.schemas.body import Body


class StripeModel(Body):
    """Nodes spread over parallel gateways."""

    gateways: list[str]
    backups: int = Field(1, ge=0, le=15)
    balance: Literal["count", "weight", "load"] = "count"
    weights: dict[str, float] = Field(default_factory=dict, description="Gateway -> weight")
    by_label: str = Field("", description="Nodes with one value of this label stay together, e.g. quadrant")


class StripeTakeOver(BaseModel):
    """What a backup would carry after the loss of another gateway, its own nodes included."""

    gateway: str
    nodes: int = Field(description="That it would take over")
    bps: int = Field(description="In the fuller direction, at today's load, bit/s")
    utilisation: float | None = Field(
        description="Of what it can pass on; 1 and above is full; null: not known"
    )


class StripeShare(BaseModel):
    """One gateway's part of a stripe."""

    gateway: str
    nodes: list[str]
    share: float = Field(description="0..1 of the weight, nodes or load, whichever is balanced")
    bps: int = Field(description="What its nodes send and receive today, bit/s")
    usable_bps: int | None = Field(description="What the gateway can pass on in one direction, bit/s")
    utilisation: float | None = Field(description="Of that, in the fuller direction")
    if_lost: dict[str, int] = Field(description="Backup gateway -> nodes that it would take over")
    takes_over: list[StripeTakeOver] = Field(description="The same with what each backup would carry then")


class StripeOut(BaseModel):
    """How a stripe would spread its nodes now: `POST /failover-policies/stripe-preview`, body `PolicyIn`."""

    shares: list[StripeShare]
    imbalance: float = Field(description="Largest share over the mean, minus 1")
