"""Failover policies: which nodes reach what, by which gateways in order, and who notices."""

from typing import Literal

from pydantic import Field

from backstay.api.schemas.body import Body
from backstay.api.schemas.stripe import StripeModel

Detection = Literal["checker", "bfd", "protocol"]


class TimersModel(Body):
    """When a gateway is dead or alive again, and when to go back to a better one."""

    interval_ms: int = Field(50, ge=10, le=60_000)
    fail_after: int = Field(3, ge=1, le=100, description="Probes lost in a row that make a gateway dead")
    recover_after: int = Field(20, ge=1, le=10_000, description="Probes answered in a row that make it alive")
    hold_down_s: float = Field(2.0, ge=0, le=3600, description="No further switch for so long after one")
    revert: Literal["now", "after", "manual"] = "now"
    revert_after_s: float = Field(60.0, ge=0, le=86_400)


class GroupModel(Body):
    """Which nodes: those that fit every part given."""

    names: list[str] = Field(default_factory=list, description="Names or shell patterns, one must fit: `sp*`")
    role: str = ""
    number_from: int | None = Field(None, ge=0)
    number_to: int | None = Field(None, ge=0)
    labels: dict[str, str] = Field(default_factory=dict)


class ReturnPathModel(Body):
    """The way back: routers that reach the nodes' network by the same gateways in order."""

    routers: list[str]
    prefix: str
    target: str | None = None


class PolicyIn(Body):
    """Body of `POST /failover-policies` and `PUT /failover-policies/{id}`. No node changes by it."""

    site: str
    name: str = Field(max_length=50)
    nodes: GroupModel
    prefix: str = Field(description="Destination, IPv4 or IPv6; 0.0.0.0/0 and ::/0 are the default route")
    gateways: list[str] = Field(
        default_factory=list, description="In order of preference; none with a stripe"
    )
    stripe: StripeModel | None = None
    detection: Detection = "checker"
    timers: TimersModel = TimersModel()
    target: str | None = Field(None, description="End-to-end target probed through each gateway")
    return_path: ReturnPathModel | None = None
    note: str = Field("", max_length=2000)
