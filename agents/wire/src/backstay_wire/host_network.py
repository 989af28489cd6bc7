"""A host's sessions with the backend, resolvers, forwarding settings, VRFs and policy rules."""

from typing import Annotated, Literal

from pydantic import Field, IPvAnyAddress, IPvAnyNetwork

from backstay_wire.base import Message, Name
from backstay_wire.report import ReportBase


class ControllerSession(Message):
    """One address of the backend, and the address that the kernel would send from."""

    address: IPvAnyAddress
    source: IPvAnyAddress | None = None
    """None: the host has no route to it."""


class PortNetwork(Message):
    """How one port takes part in forwarding; None: the setting does not exist or cannot be read."""

    port: Name
    vrf: Annotated[str, Field(max_length=128)] = ""
    """Name of its VRF device; empty: the port uses the rules and the main table."""
    forwards_ipv4: bool | None = None
    """`net.ipv4.conf.PORT.forwarding`, which decides for packets that arrive there."""
    forwards_ipv6: bool | None = None
    """`net.ipv6.conf.all.forwarding`, or false where IPv6 is off on the port."""
    rp_filter: Annotated[int, Field(ge=0, le=2)] | None = None
    """The larger of `conf.all` and `conf.PORT` (ip-sysctl): 1 strict, 2 loose."""


class PolicyRule(Message):
    """A rule of ip-rule(8) other than the kernel's own three and the VRFs'."""

    family: Literal[4, 6]
    priority: Annotated[int, Field(ge=0, le=2**32 - 1)]
    source: IPvAnyNetwork | None = None
    destination: IPvAnyNetwork | None = None
    selector: Annotated[str, Field(max_length=256)] = ""
    """Other conditions, as ip-rule(8) writes them: `iif css0 fwmark 0x1`."""
    action: Annotated[str, Field(max_length=64)]
    """`lookup 100`, `unreachable`."""


class HostNetworkReport(ReportBase):
    """Sent on any change, and once a minute."""

    kind: Literal["host_network"] = "host_network"
    controllers: Annotated[list[ControllerSession], Field(max_length=64)]
    """Empty: the backend's name cannot be resolved."""
    resolvers: Annotated[list[IPvAnyAddress], Field(max_length=16)]
    """`nameserver` lines of /etc/resolv.conf."""
    ports: Annotated[list[PortNetwork], Field(max_length=4096)]
    rules: Annotated[list[PolicyRule], Field(max_length=1024)]
