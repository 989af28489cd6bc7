"""Ports."""

from datetime import datetime

from pydantic import BaseModel, Field

from backstay.api.http.schemas import State
from backstay.core.model.state import Carrier


class PortOut(BaseModel):
    """One attachment of a node to a fabric."""

    id: int
    name: str
    kind: str = Field(description="The fabric's technology, or `management`")
    node: str
    node_id: int
    fabric: str | None
    link_id: int | None
    state: State
    state_text: str
    carrier: Carrier
    since: datetime | None
    age_s: float | None
    if_type: int
    speed: int = Field(description="Reported by the device, bit/s; 0 if unknown or contradicted")
    contradicted_speed: int | None = Field(
        description="Stated by the device, bit/s, but exceeded by its own counters; null if they agree"
    )
    usable_rate: int
    mtu: int
    mac: str
    addresses: list[str]
    measured_at: datetime | None = Field(description="End of the measured interval")
    measured_s: float | None = Field(description="Length of the measured interval")
    in_bps: int | None
    out_bps: int | None
    in_pps: float | None = Field(description="Packets per second")
    out_pps: float | None
    in_utilisation: float | None
    out_utilisation: float | None
    utilisation: float | None = Field(description="The larger of the two directions")
    in_errors_ps: float | None
    out_errors_ps: float | None
    url: str
