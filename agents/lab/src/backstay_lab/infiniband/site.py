"""A fabric with its traffic, for a site: what the service's process needs to know. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from backstay_lab.blueprint import Parameters
from backstay_lab.infiniband.fabric import IbFabric
from backstay_lab.infiniband.model import Flaw, IbFlow


@dataclass(frozen=True)
class IbSite:
    """One fabric as it is played."""

    fabric: IbFabric
    flows: tuple[IbFlow, ...]
    flaws: tuple[Flaw, ...] = ()


Build = Callable[[Parameters], IbSite]
