"""The sites that the lab can build: one file a site, listed here."""

from collections.abc import Callable

from backstay_lab.blueprint import Blueprint, Parameters
from backstay_lab.errors import LabError
from backstay_lab.sites import argonne

SITES: dict[str, Callable[[Parameters], Blueprint]] = {"argonne": argonne.blueprint}


def site(name: str, parameters: Parameters) -> Blueprint:
    """The blueprint of a site by its name; LabError for an unknown site or a parameter out of range."""
    if name not in SITES:
        raise LabError(f"There is no site {name!r}.", f"The lab knows: {', '.join(sorted(SITES))}.")
    return SITES[name](parameters)
