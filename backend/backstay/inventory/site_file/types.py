"""The site file's scalars: units, addresses and names."""

from __future__ import annotations

import re
from decimal import Decimal
from ipaddress import IPv4Address, IPv4Interface, IPv4Network, IPv6Address, IPv6Interface, IPv6Network
from typing import Annotated

from django.conf import settings
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    SecretStr,
    StringConstraints,
)
from pydantic_core import PydanticCustomError

from backstay.core.retention import checked_at_site
from backstay_wire import text

Address = IPv4Address | IPv6Address
Interface = IPv4Interface | IPv6Interface
Network = IPv4Network | IPv6Network

_RATE = re.compile(r"(\d+(?:\.\d+)?) ?([kMG]?)(?:b/s|bit/s|bps)")
_POWER = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9}
MAX_RATE = 10**15


def invalid(expected: str) -> PydanticCustomError:
    """An error that states the expected value."""
    return PydanticCustomError("expected", "{expected}", {"expected": expected})


def rate(value: object) -> int:
    """bit/s of `155.52 Mb/s`; powers of ten, as carriers and RFC 2863's ifHighSpeed count."""
    match = _RATE.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise invalid("a rate in bits per second with its unit, such as 155.52 Mb/s, 800 Mb/s or 10 Gb/s")
    bits = Decimal(match[1]) * _POWER[match[2]]
    if not 0 < bits <= MAX_RATE:
        raise invalid("a rate above 0 and at most 1000000 Gb/s")
    return int(bits)


def read_interface(value: object) -> Interface:
    if isinstance(value, str) and "/" in value:
        for kind in (IPv4Interface, IPv6Interface):
            try:
                return kind(value)
            except ValueError:
                continue
    raise invalid("an IP address with prefix length, such as 10.1.0.1/24")


def read_address(value: object) -> Address:
    for kind in (IPv4Address, IPv6Address):
        try:
            return kind(value) if isinstance(value, str) else kind("")
        except ValueError:
            continue
    raise invalid("an IP address, such as 10.9.0.1")


def read_network(value: object) -> Network:
    for kind in (IPv4Network, IPv6Network):
        try:
            return kind(value) if isinstance(value, str) else kind("")
        except ValueError:
            continue
    raise invalid("a network whose host bits are zero, such as 0.0.0.0/0 or 10.1.0.0/24")


def read_retention(value: dict[str, int]) -> dict[str, int]:
    """Days by rule of `core.retention`, and of levels of roll-ups and the archive."""
    try:
        return checked_at_site(value, settings.ROLLUP_DAYS, settings.HOT_DAYS)
    except ValueError as problem:
        raise invalid(str(problem)) from None


def read_guid(value: object) -> str:
    """An InfiniBand GUID (IBTA volume 1, 14.2.5.3) in lower case, as printed by ibnetdiscover."""
    if not isinstance(value, str) or not re.fullmatch(r"0x[0-9A-Fa-f]{16}", value):
        raise invalid('a GUID in quotes, 0x and 16 digits, such as "0x0002c90300a1b2c3"')
    return value.lower()


def read_switch(value: object) -> object:
    """Convert a bare `on` or `off`, which YAML 1.1 reads as a boolean."""
    return {True: "on", False: "off"}.get(value, value) if isinstance(value, bool) else value


Slug = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,50}$")]
NodeName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")]
UNPRINTABLE = text.UNPRINTABLE
Printable = rf"^[^{UNPRINTABLE}]*$"
PortName = Annotated[str, StringConstraints(min_length=1, max_length=128, pattern=Printable)]
Title = Annotated[str, StringConstraints(max_length=200, pattern=Printable)]
Keyword = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,32}$")]
Rate = Annotated[int, PlainValidator(rate)]
Seconds = Annotated[float, Field(gt=0, le=3600)]
Secret = Annotated[SecretStr, Field(min_length=1, max_length=256)]
EndName = Annotated[
    str, StringConstraints(pattern=rf"^[A-Za-z0-9][A-Za-z0-9._-]{{0,127}}:[^{UNPRINTABLE}]{{1,128}}$")
]


FilePath = Annotated[str, StringConstraints(max_length=128, pattern=rf"^/[^{UNPRINTABLE}]+$")]
"""Absolute."""


class Item(BaseModel):
    """Base: unknown keys are errors, and numbers and text are not converted into each other."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
