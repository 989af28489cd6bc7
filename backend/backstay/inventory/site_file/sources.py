"""The site file's sources: how a node is collected, one model per kind.

The keys are those of the wire's sources (backstay_wire.assignment, backstay_wire.engines), without those that
the inventory fills in.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, PlainValidator, SecretStr, StringConstraints

from backstay.inventory.site_file.engines import EngineSource
from backstay.inventory.site_file.types import (
    UNPRINTABLE,
    Address,
    FilePath,
    Item,
    Seconds,
    Secret,
    Slug,
    read_address,
)


class AccessV2c(Item):
    """SNMPv2c: a community."""

    version: Literal["2c"]
    community: Secret


class AccessV3(Item):
    """SNMPv3 authPriv (RFC 3414); keys have at least eight characters, as section 11.2 requires."""

    version: Literal["3"]
    user: Annotated[str, StringConstraints(min_length=1, max_length=32)]
    auth_protocol: Literal["SHA-1", "SHA-256", "SHA-512"] = "SHA-256"
    auth_key: Annotated[SecretStr, Field(min_length=8, max_length=256)]
    priv_protocol: Literal["AES-128", "AES-256"] = "AES-128"
    priv_key: Annotated[SecretStr, Field(min_length=8, max_length=256)]


class LinuxItem(Item):
    """The agent's own kernel."""

    kind: Literal["linux"]
    interval_s: Seconds | None = None


class SnmpItem(Item):
    """A device polled over SNMP."""

    kind: Literal["snmp"]
    interval_s: Seconds | None = None
    address: Annotated[Address, PlainValidator(read_address)]
    port: Annotated[int, Field(ge=1, le=65535)] = 161
    timeout_s: Annotated[float, Field(gt=0, le=30)] = 1.0
    retries: Annotated[int, Field(ge=0, le=5)] = 1
    access: Annotated[AccessV2c | AccessV3, Field(discriminator="version")]


class InfinibandItem(Item):
    """A whole InfiniBand fabric, swept from the agent's host."""

    kind: Literal["infiniband"]
    interval_s: Seconds | None = None
    fabric: Slug
    ca: Annotated[str, StringConstraints(max_length=64, pattern=r"^[A-Za-z0-9_]*$")] = ""
    ca_port: Annotated[int, Field(ge=0, le=255)] = 0


class InfinibandHostItem(Item):
    """The agent's own channel adapters."""

    kind: Literal["infiniband_host"]
    interval_s: Seconds | None = None


class KeepalivedItem(Item):
    """keepalived on the agent's host."""

    kind: Literal["keepalived"]
    interval_s: Seconds | None = None
    pid_file: FilePath | None = None
    data: FilePath | None = None


class LnetItem(Item):
    """LNet on the agent's host."""

    kind: Literal["lnet"]
    interval_s: Seconds | None = None
    lnetctl: (
        Annotated[str, StringConstraints(max_length=128, pattern=r"^(/[A-Za-z0-9._/-]+/)?lnetctl$")] | None
    ) = None


class SshItem(Item):
    """A host without an agent, collected over ssh by another host's agent."""

    kind: Literal["ssh"]
    interval_s: Seconds | None = None
    address: Annotated[Address, PlainValidator(read_address)]
    port: Annotated[int, Field(ge=1, le=65535)] = 22
    system: Literal["aix", "grf", "irix", "linux", "solaris", "vyos"]
    user: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$")]
    host_key: Annotated[
        str,
        StringConstraints(max_length=2048, pattern=rf"^[a-z0-9@.-]+ [A-Za-z0-9+/]+=*( [^{UNPRINTABLE}]*)?$"),
    ]
    key_file: FilePath
    """Path on the agent's host; its content is never transferred."""


class NoticesItem(Item):
    """Where the agent's host receives SNMP notifications and syslog."""

    kind: Literal["notices"]
    address: Annotated[Address, PlainValidator(read_address)]
    trap_port: Annotated[int, Field(ge=0, le=65535)] = 162
    syslog_port: Annotated[int, Field(ge=0, le=65535)] = 514
    access: Annotated[
        list[Annotated[AccessV2c | AccessV3, Field(discriminator="version")]], Field(max_length=64)
    ] = []


SourceItem = Annotated[
    LinuxItem
    | EngineSource
    | SnmpItem
    | InfinibandItem
    | InfinibandHostItem
    | KeepalivedItem
    | LnetItem
    | SshItem
    | NoticesItem,
    Field(discriminator="kind"),
]
REMOTE = frozenset({"snmp", "ssh"})
"""Kinds that read another device; the others read the agent's own host."""
