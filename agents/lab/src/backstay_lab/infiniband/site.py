"""A site's fabric and its traffic, for the service's process. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from backstay_lab.blueprint import Parameters
from backstay_lab.infiniband.fabric import IbFabric
from backstay_lab.infiniband.model import Flaw, IbFlow


@dataclass(frozen=True)
class IbSite:
    """One simulated fabric."""

    fabric: IbFabric
    flows: tuple[IbFlow, ...]
    flaws: tuple[Flaw, ...] = ()


Build = Callable[[Parameters], IbSite]
