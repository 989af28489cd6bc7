"""Throughput tests: plans, runs, cells, verdicts, grids. Rates bit/s, lengths octets, times seconds."""

from datetime import datetime
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, Field, create_model

from backstay.api.http.schemas import Body
from backstay.api.test_runs.schemas import TestRunOut
from backstay.core.model.throughput_kinds import KINDS, Parameter, Shape

Most = 64
_Values = Field(min_length=1, max_length=Most)
Whole = Annotated[int, Field(ge=0, lt=2**62)]
Number = Annotated[float, Field(ge=0, lt=2**62)]
ShortText = Annotated[str, Field(max_length=64)]
Model = TypeVar("Model", bound=BaseModel)
NodeName = Annotated[str, Field(min_length=1, max_length=128)]


def with_parameters(model: type[Model]) -> type[Model]:
    """The model with the kinds and every kind's parameters (`KINDS`) as fields.

    Checks that do not depend on the kind are here, the others in `assignments.checked`.
    """
    by_name: dict[str, dict[str, Parameter]] = {}
    for kind in KINDS.values():
        for parameter in kind.parameters:
            by_name.setdefault(parameter.name, {})[kind.name] = parameter
    fields: dict[str, Any] = {"kind": (Literal[tuple(KINDS)], "tcp")}
    fields |= {name: _field(parameters) for name, parameters in by_name.items()}
    return create_model(model.__name__, __base__=model, __doc__=model.__doc__, __module__=__name__, **fields)


def _field(parameters: dict[str, Parameter]) -> tuple[Any, Any]:
    """Type and default of one parameter of several kinds, by kind."""
    found = list(parameters.values())
    value = _varied(found) if found[0].varies else _single(found)
    kinds: dict[str, list[str]] = {}
    for kind, parameter in parameters.items():
        empty = f"null: {parameter.empty}" if parameter.empty else ""
        kinds.setdefault("; ".join(filter(None, (parameter.help, empty))), []).append(kind)
    texts = [f"{', '.join(names)}: {text}" for text, names in kinds.items() if text]
    return value | None, Field(None, description=". ".join(texts) or None)


def _varied(found: list[Parameter]) -> Any:
    """A list of values, one cell each."""
    first = found[0]
    if first.type == "choice":
        item: Any = Literal[tuple(dict.fromkeys(choice for one in found for choice in one.choices))]
    elif first.type == "text":
        item = ShortText
    else:
        item = {"boolean": bool, "integer": Whole, "number": Number}[max(one.type for one in found)]
    return Annotated[list[item], _Values]


def _single(found: list[Parameter]) -> Any:
    if found[0].type == "text":
        return ShortText
    low = min(one.minimum or 0 for one in found)
    top = max(one.maximum or 0 for one in found)
    is_open = any(one.exclusive_minimum for one in found if one.minimum == low)
    bounds = Field(gt=low, le=top) if is_open else Field(ge=low, le=top)
    return Annotated[float if any(one.type == "number" for one in found) else int, bounds]


@with_parameters
class MatrixModel(Body):
    """Parameters: lists are varied, one cell per combination. Parameters that a kind lacks are refused."""


class TestPlanIn(Body):
    """Body of `POST /test-plans` and `PUT /test-plans/{id}`."""

    site: str
    name: str = Field(min_length=1, max_length=50, pattern=r"^[a-zA-Z0-9][-a-zA-Z0-9_]*$")
    shape: Shape = "pair"
    senders: list[NodeName] = Field(min_length=1, max_length=Most)
    receivers: list[NodeName] = Field(
        default_factory=list,
        max_length=Most,
        description="Empty for n_way and mesh: every end sends and receives",
    )
    fabric: str = Field(
        "",
        max_length=50,
        description="Fabric whose addresses are used; empty: the first one that the ends share",
    )
    matrix: MatrixModel
    repeats: int = Field(1, ge=1, le=20)
    schedule: str = Field("", max_length=100, description="Five fields of crontab(5), UTC; empty: on request")
    priority: int = Field(5, ge=0, le=9, description="Higher values run first")
    quiet_percent: float | None = Field(
        None,
        ge=0,
        le=100,
        description="Cross traffic, percent of the usable rate, above which a test waits or is aborted",
    )
    budget_bytes: int | None = Field(None, ge=1, lt=2**62, description="Bytes per day, UTC")
    budget_s: int | None = Field(None, ge=1, le=86400, description="Test seconds per day, UTC")
    enabled: bool = Field(True, description="Whether its schedule is active")
    note: str = Field("", max_length=2000)


class TestPlanOut(BaseModel):
    """A plan with the progress of its latest run."""

    id: int
    name: str
    kind: Literal["test-plan"] = "test-plan"
    site: str
    state: Literal["idle", "queued", "waiting", "running", "disabled"]
    state_text: str
    since: datetime = Field(description="Start of the run in progress, otherwise the last change of the plan")
    age_s: float
    shape: Shape
    senders: list[str]
    receivers: list[str]
    fabric: str
    matrix: MatrixModel
    repeats: int
    schedule: str
    next_at: datetime | None
    priority: int
    quiet_percent: float | None
    budget_bytes: int | None
    budget_s: int | None
    enabled: bool
    note: str
    author: str
    created_at: datetime
    cells: int = Field(description="Cells per run")
    runs: int
    last_run: TestRunOut | None
    may_run: bool
    url: str
