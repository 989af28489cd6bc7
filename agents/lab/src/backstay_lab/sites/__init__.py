"""The lab's sites, one file each, with their default parameters."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from backstay_lab.blueprint import Blueprint, Parameters
from backstay_lab.errors import LabError
from backstay_lab.sites import argonne, casa, cern, karlsruhe, sdsc, zoo


@dataclass(frozen=True)
class Site:
    """How a site is built."""

    build: Callable[[Parameters], Blueprint]
    defaults: Parameters = field(default_factory=Parameters)
    """Default parameters; its `settings` list all that exist."""
    meanings: Mapping[str, str] = field(default_factory=dict)
    """Description of each setting, with its unit."""


SITES: dict[str, Site] = {
    "argonne": Site(argonne.blueprint, Parameters(settings=argonne.SETTINGS), argonne.MEANINGS),
    "casa": Site(casa.blueprint, Parameters(nodes=1, rate_scale=1.0, settings=casa.SETTINGS), casa.MEANINGS),
    "cern": Site(cern.blueprint, Parameters(nodes=8)),
    "karlsruhe": Site(
        karlsruhe.blueprint,
        Parameters(nodes=13, rate_scale=1.0, settings=karlsruhe.SETTINGS),
        karlsruhe.MEANINGS,
    ),
    "karlsruhe-large": Site(
        karlsruhe.large_blueprint,
        Parameters(nodes=648, rate_scale=1.0, settings=karlsruhe.SETTINGS),
        karlsruhe.MEANINGS,
    ),
    "sdsc": Site(sdsc.blueprint, Parameters(nodes=16)),
    "zoo": Site(zoo.blueprint, Parameters(nodes=2, rate_scale=1.0, settings=zoo.SETTINGS), zoo.MEANINGS),
}


def known(name: str) -> Site:
    """The site of that name; LabError lists the existing sites."""
    if name not in SITES:
        raise LabError(f"No site {name!r}.", f"Sites: {', '.join(sorted(SITES))}.")
    return SITES[name]


def parameters(
    name: str,
    *,
    nodes: int | None = None,
    rate_scale: float | None = None,
    bfd_ms: int | None = None,
    settings: Mapping[str, float] | None = None,
) -> Parameters:
    """The site's defaults with the given overrides; LabError for an unknown setting."""
    site, own = known(name), settings or {}
    for key in own:
        if key not in site.defaults.settings:
            has = ", ".join(f"{key} ({site.meanings[key]})" for key in site.defaults.settings)
            raise LabError(f"{name} has no setting {key!r}.", f"It has: {has or 'none'}.")
    defaults = site.defaults
    return Parameters(
        nodes=defaults.nodes if nodes is None else nodes,
        rate_scale=defaults.rate_scale if rate_scale is None else rate_scale,
        bfd_ms=defaults.bfd_ms if bfd_ms is None else bfd_ms,
        settings={**defaults.settings, **own},
    )


def site(name: str, parameters: Parameters) -> Blueprint:
    """The blueprint of a site by its name; LabError for an unknown site or a parameter out of range."""
    return known(name).build(parameters)
