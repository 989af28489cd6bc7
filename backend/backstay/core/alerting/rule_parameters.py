"""Parameters of alert rules: type, unit, bounds and meaning, the one source of API, page, command line and
site file.

A value is a number; of an `integer` a whole one. Units: `share` is 0..1 of a capacity, `s` seconds, `h`
hours.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

ParameterType = Literal["number", "integer"]
ParameterUnit = Literal[
    "", "share", "s", "h", "samples", "errors", "entries", "reports", "1/s", "packets/s", "%"
]
Values = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class RuleParameter:
    """One number that decides when a rule's incidents open or resolve."""

    name: str
    label: str
    """Of the form's field, without the unit."""
    unit: ParameterUnit
    default: float
    minimum: float
    maximum: float
    help: str
    """One sentence."""
    type: ParameterType = "number"
    below: str = ""
    """Name of the parameter that this one must not exceed: a clearing limit is not above the raising one."""
    whole_site: bool = False
    """Whether it decides what is read: overrides for a part of a site cannot have it."""

    def expected(self) -> str:
        """The values that are accepted, for an error message."""
        kind = "a whole number" if self.type == "integer" else "a number"
        return f"{kind} from {self.minimum:g} to {self.maximum:g}{f' {self.unit}' if self.unit else ''}"

    def accepts(self, value: object) -> bool:
        """Whether a value has the type and is within the bounds."""
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            return False
        if self.type == "integer" and value != int(value):
            return False
        return self.minimum <= value <= self.maximum


def defaults(specs: Iterable[RuleParameter]) -> dict[str, float]:
    """Name -> default."""
    return {spec.name: spec.default for spec in specs}


def wrong_values(specs: Iterable[RuleParameter], given: Mapping[str, object]) -> dict[str, str]:
    """Name -> what is expected, of every value that is not accepted; unknown names are not."""
    known = {spec.name: spec for spec in specs}
    names = ", ".join(known) or "no parameter: the rule has none"
    wrong = {name: f"one of {names}" for name in given if name not in known}
    return wrong | {
        name: known[name].expected()
        for name, value in given.items()
        if name in known and not known[name].accepts(value)
    }


def wrong_pairs(specs: Iterable[RuleParameter], values: Values) -> dict[str, str]:
    """Name -> what is expected, of values that exceed the parameter that they must not; `values`: all of
    them."""
    return {
        spec.name: f"at most {spec.below}, {values[spec.below]:g}"
        for spec in specs
        if spec.below and values[spec.name] > values[spec.below]
    }


def ordered(specs: Iterable[RuleParameter], values: Values) -> dict[str, float]:
    """The values with every parameter at most as large as the one that it must not exceed."""
    return {**values} | {
        spec.name: min(values[spec.name], values[spec.below]) for spec in specs if spec.below
    }


def opens_after(
    default: float, text: str = "The condition lasts so long before an incident opens."
) -> RuleParameter:
    """How long a condition lasts before its incident opens: shorter interruptions have events already."""
    return RuleParameter("after_s", "Opens after", "s", default, 0, 86_400, text)


def resolves_after(default: float) -> RuleParameter:
    """How long a condition is over before its incident resolves."""
    return RuleParameter(
        "clear_s",
        "Resolves after",
        "s",
        default,
        0,
        86_400,
        "The condition is over for so long before it resolves.",
    )


def opens_at(default: float, what: str, maximum: float = 1.0) -> RuleParameter:
    """A share of a capacity from which an incident opens."""
    return RuleParameter(
        "raise_at", "Opens at", "share", default, 0.001, maximum, f"{what} from which it opens."
    )


def resolves_below(default: float, what: str, maximum: float = 1.0) -> RuleParameter:
    """A share of a capacity below which the incident resolves."""
    text = f"{what} below which it resolves."
    return RuleParameter("clear_at", "Resolves below", "share", default, 0.0, maximum, text, below="raise_at")


def sample_count(default: int) -> RuleParameter:
    """Consecutive samples that open or resolve an incident."""
    return RuleParameter(
        "samples",
        "Samples",
        "samples",
        default,
        1,
        100,
        "So many consecutive samples open or resolve it.",
        "integer",
    )


def evaluated_every(default: float, what: str) -> RuleParameter:
    """How often something expensive is read."""
    return RuleParameter(
        "every_s", "Evaluated every", "s", default, 1, 86_400, f"{what} are read so often.", whole_site=True
    )
