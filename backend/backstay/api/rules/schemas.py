"""Rules, their overrides, previews, and metric limits."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from backstay.api.http.list_query import Text
from backstay.api.http.schemas import Body
from backstay.api.incidents.schemas import IncidentKind
from backstay.core.alerting.overrides import OverrideScope, RuleObject
from backstay.core.alerting.rule_parameters import ParameterType, ParameterUnit

RuleGroupName = Literal["load", "errors", "reachability", "paths", "devices", "addresses", "monitoring"]
RuleSeverity = Literal["warning", "critical"]
RuleOrigin = Literal["file", "operator"]
Parameters = Annotated[
    dict[Annotated[str, Field(max_length=32)], Annotated[float, Field(allow_inf_nan=False)]],
    Field(max_length=32),
]
SiteName = Annotated[str, Field(max_length=50)]


class RuleParameterOut(BaseModel):
    """One parameter of a rule; `value`: at the site."""

    name: str
    label: str
    unit: ParameterUnit = Field(description="share: 0..1 of a capacity; s: seconds; h: hours")
    type: ParameterType
    minimum: float
    maximum: float
    default: float
    value: float
    help: str
    whole_site: bool = Field(description="Whether overrides for a part of the site cannot have it")
    below: str = Field(description="Name of the parameter that it must not exceed; empty: none")


class RuleOut(BaseModel):
    """A rule at a site. Overrides apply to the object that its incidents are about."""

    kind: IncidentKind
    name: str
    group: RuleGroupName
    group_title: str
    summary: str
    about: RuleObject
    enabled: bool = Field(description="At the site")
    enabled_by_default: bool
    severity: RuleSeverity = Field(description="At the site; a rule may choose it for each incident")
    has_own_severity: bool = Field(description="Whether the site sets the severity of all its incidents")
    parameters: list[RuleParameterOut]
    scopes: list[OverrideScope] = Field(description="Scopes that its overrides may have")
    overrides: int = Field(description="Number of overrides for parts of the site")
    open_incidents: int
    has_preview: bool
    lists_unmeasured: bool = Field(description="Whether it lists objects whose capacity or value is unknown")
    runbook: str
    origin: RuleOrigin = Field(description="file: the site file owns the settings of the site")
    changed_by: str | None
    changed_at: datetime | None


class RuleOverrideOut(BaseModel):
    """Settings of a rule for a part of a site; null and missing: those of a less specific override."""

    id: int
    kind: IncidentKind
    scope: OverrideScope
    match: str
    name: str = Field(description="`role compute`")
    enabled: bool | None
    severity: RuleSeverity | None
    parameters: dict[str, float]
    origin: RuleOrigin
    changed_by: str | None
    changed_at: datetime


class RuleIn(Body):
    """Body of `PUT /rules/{kind}`: the settings of the whole site; null and missing: the rule's defaults."""

    site: SiteName
    enabled: bool | None = None
    severity: RuleSeverity | None = None
    parameters: Parameters = {}


class RuleOverrideIn(Body):
    """Body of `POST /rules/{kind}/overrides`: replaces the override with the same scope and match."""

    site: SiteName
    scope: OverrideScope
    match: Annotated[str, Field(max_length=300)] = ""
    enabled: bool | None = None
    severity: RuleSeverity | None = None
    parameters: Parameters = {}


class EffectiveValueOut(BaseModel):
    """One effective setting of a port, and where it comes from."""

    name: str
    label: str
    value: float | bool | str
    unit: str
    source: str = Field(description="`role compute`; default: the rule's own")
    ties: list[str] = Field(
        description="Overrides of the same scope that set another value: the first in the alphabet wins"
    )


class EffectiveRuleOut(BaseModel):
    """What applies to one port."""

    kind: IncidentKind
    name: str
    about: RuleObject = Field(description="The object of the port by which overrides apply")
    enabled: bool
    severity: str
    settings: list[EffectiveValueOut] = Field(description="Enablement, severity, then parameters")


class UnmeasuredOut(BaseModel):
    """An object that a rule cannot evaluate, so that it never alarms for it."""

    name: str
    reason: str
    url: str | None


class RulePreviewCount(BaseModel):
    """One object, and how many incidents it would have had."""

    name: str
    incidents: int


class RulePreviewOut(BaseModel):
    """How often settings would have opened an incident."""

    start: datetime
    end: datetime
    incidents: int
    objects: int = Field(description="That the settings apply to")
    read: int = Field(description="With values in this time")
    worst: list[RulePreviewCount]
    notes: list[str] = Field(description="What could not be read, or differs from the evaluation")


class MetricLimitIn(Body):
    """Body of `POST /metric-limits` and `PUT /metric-limits/{id}`."""

    site: SiteName
    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,50}$")]
    metric: Annotated[str, Field(min_length=1, max_length=128)]
    subject: Annotated[str, Field(max_length=128)] = Field(
        "", description="Shell pattern of ports or parts; empty: all"
    )
    role: Annotated[str, Field(max_length=32)] = Field("", description="Only nodes of this role; empty: all")
    labels: Annotated[
        dict[Annotated[str, Field(max_length=32)], Annotated[str, Field(max_length=200)]],
        Field(max_length=16),
    ] = Field(default_factory=dict, description="Only nodes with all of these labels")
    above: bool = Field(True, description="Whether a value above the limit is wrong; otherwise one below it")
    raise_at: float = Field(description="In the metric's unit; of a counter per second", allow_inf_nan=False)
    clear_at: float = Field(description="An incident resolves on the other side of it", allow_inf_nan=False)
    for_s: float = Field(60.0, ge=0, le=86_400)
    severity: RuleSeverity = "warning"
    enabled: bool = True


class MetricLimitOut(BaseModel):
    """A limit on a device metric."""

    id: int
    name: str
    metric: str
    title: str = Field(description="Of the metric")
    unit: str
    subject: str
    role: str
    labels: dict[str, str]
    above: bool
    raise_at: float
    clear_at: float
    for_s: float
    severity: RuleSeverity
    enabled: bool
    origin: RuleOrigin
    changed_by: str | None
    changed_at: datetime


class RuleFileOut(BaseModel):
    """Everything that is set, as sections of the site file."""

    site: str
    text: str = Field(description="YAML: `rules` and `metric_limits`")


KindText = Annotated[Text, Field(description="Kind of a rule, as GET /rules lists them")]
