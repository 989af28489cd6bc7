"""Upgrade advice: which single improvement removes most failing fallbacks."""

from datetime import datetime

from pydantic import BaseModel, Field

from backstay.core.planning.capacity.advice import ImprovementKind


class AdviceItem(BaseModel):
    """One improvement, and what the study finds with it."""

    kind: ImprovementKind
    title: str = Field(description="`Give oc3 a usable rate of 38 Mb/s (2 links).`")
    steps: list[str] = Field(description="What to do in order, with commands")
    policy: str | None = Field(description="That changes; null: a fabric does")
    gateways: list[str] = Field(description="Of the policy in order, or of its stripe")
    fabric: str | None
    fabric_id: int | None
    usable_rate: int | None = Field(description="Least usable rate of the fabric, bit/s")
    holds: list[str] = Field(description="The first 20 failures whose fallback holds with it")
    holds_total: int
    eased: list[str] = Field(
        description="The first 20 failures that overload no link with it, and fail for another reason"
    )
    eased_total: int
    worse: list[str] = Field(description="The first 20 failures whose fallback would not hold any more")
    worse_total: int
    remaining: int = Field(description="Fallbacks that would not hold with it")


class Advice(BaseModel):
    """The newest advice of a site."""

    site: str
    headline: str = Field(description="`The best single improvement makes 3 of 4 failing fallbacks hold`")
    computed_at: datetime | None = Field(description="Null: no fallback has failed yet")
    age_s: float | None
    is_stale: bool = Field(
        description="Whether it is older than 30 minutes, or the study has found others since"
    )
    failing: int = Field(description="Fallbacks that would not hold, when it was computed")
    tried: int = Field(description="Improvements whose effect was calculated")
    skipped: int = Field(description="Improvements for which no time was left")
    further: int = Field(description="Useful improvements beyond the listed ones")
    error: str = Field(description="Of the last attempt; empty: it succeeded")
    items: list[AdviceItem] = Field(description="The useful ones, the most useful first; at most 20")
