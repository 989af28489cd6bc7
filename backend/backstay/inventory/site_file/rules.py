"""`rules` and `metric_limits` of the site file: their form. `alerts.rule_file` knows the rules and applies
them."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, StringConstraints, model_validator

from backstay.inventory.site_file.types import EndName, Item, Keyword, Printable, Slug, Title, invalid

Number = Annotated[float, Field(strict=False, allow_inf_nan=False)]
Label = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,32}=[^\n]{0,200}$")]
Severity = Literal["warning", "critical"]


class RuleItem(Item):
    """Settings of a rule: of the site, or of one fabric, role, label or port."""

    rule: Annotated[str, StringConstraints(pattern=r"^[a-z0-9_]{1,32}$")]
    fabric: Slug | None = None
    role: Keyword | None = None
    label: Label | None = None
    port: EndName | None = None
    enabled: bool | None = None
    severity: Severity | None = None
    parameters: Annotated[dict[Keyword, Number], Field(max_length=32)] = {}

    @model_validator(mode="after")
    def _one_scope(self) -> Self:
        if sum(value is not None for value in (self.fabric, self.role, self.label, self.port)) > 1:
            raise invalid("at most one of fabric, role, label and port")
        return self

    @property
    def scope(self) -> tuple[str, str]:
        """Scope and match of the override."""
        for name in ("fabric", "role", "label", "port"):
            if (match := getattr(self, name)) is not None:
                return name, match
        return "site", ""


class MetricLimitItem(Item):
    """A limit on a device metric."""

    name: Slug
    metric: Annotated[str, StringConstraints(min_length=1, max_length=128, pattern=Printable)]
    subject: Annotated[str, StringConstraints(max_length=128, pattern=Printable)] = ""
    role: Keyword | None = None
    labels: Annotated[dict[Keyword, Title], Field(max_length=16)] = {}
    above: Number | None = None
    below: Number | None = None
    clear: Number | None = None
    for_s: Number = 60.0
    severity: Severity = "warning"
    enabled: bool = True

    @model_validator(mode="after")
    def _one_side(self) -> Self:
        if (self.above is None) == (self.below is None):
            raise invalid("either above or below")
        return self
