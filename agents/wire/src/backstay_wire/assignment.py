"""What an agent is to do: desired state with a generation, never commands.

`GET /api/agent/v1/desired` returns `Desired`. The reply to every report batch carries the newest
generation, so an agent learns of a change within one interval and asks again only then.
"""

from typing import Annotated, Literal

from pydantic import Field, IPvAnyAddress, IPvAnyNetwork, SecretStr, field_serializer

from backstay_wire.base import Message, Name

Interval = Annotated[float, Field(gt=0, le=3600)]
"""Seconds."""


class LinuxSource(Message):
    """This host's own kernel: ports, counters, addresses, routes, neighbours (rtnetlink(7))."""

    kind: Literal["linux"] = "linux"
    device: Name
    interval_s: Interval


class SnmpV2c(Message):
    """SNMPv2c (RFC 1901) access: a community string."""

    version: Literal["2c"] = "2c"
    community: SecretStr

    @field_serializer("community", when_used="json")
    def _reveal(self, value: SecretStr) -> str:
        return value.get_secret_value()


class SnmpV3(Message):
    """SNMPv3 (RFC 3414) authPriv access."""

    version: Literal["3"] = "3"
    user: Name
    auth_protocol: Literal["SHA-1", "SHA-256", "SHA-512"] = "SHA-256"
    auth_key: SecretStr
    priv_protocol: Literal["AES-128", "AES-256"] = "AES-128"
    priv_key: SecretStr

    @field_serializer("auth_key", "priv_key", when_used="json")
    def _reveal(self, value: SecretStr) -> str:
        return value.get_secret_value()


class SnmpSource(Message):
    """A device polled over SNMP from a management host."""

    kind: Literal["snmp"] = "snmp"
    device: Name
    interval_s: Interval
    address: IPvAnyAddress
    port: Annotated[int, Field(ge=1, le=65535)] = 161
    access: Annotated[SnmpV2c | SnmpV3, Field(discriminator="version")]
    timeout_s: Annotated[float, Field(gt=0, le=30)] = 1.0
    retries: Annotated[int, Field(ge=0, le=5)] = 1


class BirdSource(Message):
    """A BIRD daemon on this host, read over its control socket."""

    kind: Literal["bird"] = "bird"
    device: Name
    interval_s: Interval
    socket: Name
    """Path of the control socket (`bird -s`)."""


Source = Annotated[LinuxSource | SnmpSource | BirdSource, Field(discriminator="kind")]


class GatewayAddress(Message):
    """One gateway of a failover policy, as this node sees it."""

    name: Name
    """The gateway's node name."""
    address: IPvAnyAddress
    """Its next-hop address on a fabric that this node is on."""


class PathWatch(Message):
    """A failover policy to observe on this node: which gateway carries the prefix, and does it carry it."""

    policy: Name
    prefix: IPvAnyNetwork
    gateways: Annotated[list[GatewayAddress], Field(min_length=1, max_length=16)]
    """In order of preference."""
    target: IPvAnyAddress | None = None
    """End-to-end target probed along whatever path is active; its silence is the measured outage."""
    probe_interval_ms: Annotated[int, Field(ge=10, le=10_000)] = 50


class Desired(Message):
    """The whole of an agent's duty at one generation."""

    generation: int
    site: Name
    node: Name
    sources: list[Source]
    paths: list[PathWatch]
