"""Routing engines: what installs a node's routes, and the sources that collect their daemons."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from backstay_wire.base import Interval, Message, Name
from backstay_wire.path_rules import CONFIGURATION, RUNTIME, program
from backstay_wire.text import UNPRINTABLE

AbsolutePath = Annotated[str, Field(pattern=rf"^/[^{UNPRINTABLE}]{{1,254}}$")]


GATED_CONF = "/etc/gated.conf"


class EngineKind(StrEnum):
    """What installs a node's routes."""

    KERNEL = "kernel"
    FRR = "frr"
    BIRD = "bird"
    GATED = "gated"


CONTROL_PROGRAMS: Mapping[EngineKind, str] = {EngineKind.GATED: "gdc"}
"""Engines whose `control` names a program; the others have a socket or a folder of sockets."""


class Engine(Message):
    """The engine of one node and how to reach it."""

    kind: EngineKind
    config: Annotated[AbsolutePath, CONFIGURATION]
    """The file read at boot: frr.conf, bird.conf, gated.conf; for the kernel an `ip -batch` file."""
    control: Annotated[str, Field(max_length=255), RUNTIME] = ""
    """BIRD: control socket. FRR: folder of the vty sockets. gated: the program gdc. Kernel: empty."""
    dump: Annotated[str, Field(max_length=255), RUNTIME] = ""
    """gated only: the file that `gdc dump` writes."""


class BirdSource(Message):
    """A BIRD daemon on this host, read over its control socket."""

    kind: Literal["bird"] = "bird"
    device: Name
    interval_s: Interval
    socket: Annotated[Name, RUNTIME]
    """Path of the control socket (`bird -s`)."""


class FrrSource(Message):
    """FRR on this host, queried through vtysh."""

    kind: Literal["frr"] = "frr"
    device: Name
    interval_s: Interval
    vty_dir: Annotated[Name, RUNTIME] = "/var/run/frr"
    """Where the daemons' vty sockets are (`vtysh --vty_socket`)."""


class GatedSource(Message):
    """gated on this host, read from the text that `gdc dump` makes it write."""

    kind: Literal["gated"] = "gated"
    device: Name
    interval_s: Interval
    dump: Annotated[Name, RUNTIME] = "/usr/tmp/gated_dump"
    gdc: Annotated[Name, program("gdc")] = "gdc"
    """Program that requests the dump."""
    config: Annotated[Name, CONFIGURATION, Field(exclude_if=lambda value: value == GATED_CONF)] = GATED_CONF
    """gated's configuration, which is compared with its table. Absent if it is the usual one, so that older
    agents accept the message."""


EngineSource = BirdSource | FrrSource | GatedSource
