"""Routing engines in the site file: the key `routing` of a node, and the source that collects the daemon."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from backstay.inventory.site_file.types import UNPRINTABLE, FilePath, Item, Seconds

Socket = Annotated[str, StringConstraints(max_length=107, pattern=rf"^/[^{UNPRINTABLE}]+$")]
"""sun_path holds 108 octets (unix(7))."""
Gdc = Annotated[str, StringConstraints(max_length=128, pattern=rf"^/[^{UNPRINTABLE}]*/gdc$")]
"""A setting cannot name another program."""


class KernelRouting(Item):
    """Plain kernel routes; `config` is an `ip -batch` file that the host reads at boot."""

    engine: Literal["kernel"]
    config: FilePath = "/etc/backstay/routes"


class FrrRouting(Item):
    """FRR; `control` is the folder of its vty sockets."""

    engine: Literal["frr"]
    config: FilePath = "/etc/frr/frr.conf"
    control: FilePath = "/var/run/frr"


class BirdRouting(Item):
    """BIRD 2; `control` is its control socket."""

    engine: Literal["bird"]
    config: FilePath = "/etc/bird/bird.conf"
    control: Socket = "/run/bird/bird.ctl"


class GatedRouting(Item):
    """gated; `control` is the program gdc, `dump` the file that `gdc dump` writes."""

    engine: Literal["gated"]
    config: FilePath = "/etc/gated.conf"
    control: Gdc = "/usr/sbin/gdc"
    dump: FilePath = "/usr/tmp/gated_dump"


RoutingItem = Annotated[
    KernelRouting | FrrRouting | BirdRouting | GatedRouting, Field(discriminator="engine")
]


class BirdItem(Item):
    """A BIRD daemon on the agent's host."""

    kind: Literal["bird"]
    interval_s: Seconds | None = None
    socket: Socket


class FrrItem(Item):
    """FRR on the agent's host."""

    kind: Literal["frr"]
    interval_s: Seconds | None = None
    vty_dir: FilePath | None = None


class GatedItem(Item):
    """gated on the agent's host."""

    kind: Literal["gated"]
    interval_s: Seconds | None = None
    dump: FilePath | None = None
    config: FilePath | None = None
    gdc: Annotated[str, StringConstraints(max_length=128, pattern=r"^(/[A-Za-z0-9._/-]+/)?gdc$")] | None = (
        None
    )
    """Restricted to that program name: a site file must not choose what an agent runs."""


EngineSource = BirdItem | FrrItem | GatedItem
