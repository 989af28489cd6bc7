"""Specification of a test plan: its cells, schedule and validation by field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, cast

from celery.schedules import ParseException, crontab_parser

from backstay.core.errors import Refused
from backstay.core.formatting import duration, listing
from backstay.core.model.throughput_kinds import KINDS, Shape
from backstay.core.scheduling.matrix import (
    MOST_CELLS,
    Pair,
    end_errors,
    points,
    repeated,
    rounds,
    size,
)
from backstay.core.scheduling.timetable import Timetable
from backstay.inventory.models import Site
from backstay.throughput.assignments import checked, expected_s
from backstay.throughput.media import medium
from backstay.throughput.models import TestPlan
from backstay.throughput.site_context import SiteContext

LONGEST_S = 24 * 3600.0
"""Max total duration of a run's cells."""


@dataclass(frozen=True, slots=True)
class TestPlanSpec:
    """A requested plan; fields as in `TestPlan`."""

    __test__: ClassVar[bool] = False
    """Not for pytest to collect."""

    name: str
    shape: Shape
    senders: tuple[str, ...]
    receivers: tuple[str, ...]
    matrix: Mapping[str, Any]
    fabric: str = ""
    repeats: int = 1
    schedule: str = ""
    priority: int = 5
    quiet_percent: float | None = None
    budget_bytes: int | None = None
    budget_s: int | None = None
    enabled: bool = True
    note: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """One cell of a new run."""

    flows: list[Pair]
    spec: dict[str, Any]
    seconds: float


def pieces(context: SiteContext, plan_spec: TestPlanSpec | TestPlan) -> list[Piece]:
    """Every cell of a plan, in order. Refused when a cell could never run."""
    number = size(plan_spec.matrix, plan_spec.repeats) * len(_rounds(plan_spec))
    if not 1 <= number <= MOST_CELLS:
        reason = f"{number} cells; allowed: 1 to {MOST_CELLS}"
        raise Refused(f"The plan has {reason}: remove values from the matrix.", fields={"matrix": reason})
    specs = [checked(point) for point in points(plan_spec.matrix, plan_spec.repeats)]
    found = []
    for flows in _rounds(plan_spec):
        routes = [route for one, other in flows if (route := context.route(one, other, plan_spec.fabric))]
        usable = medium(context, routes).usable if routes else None
        found += [Piece(flows, spec, expected_s(spec, usable)) for spec in specs]
    return found


def _rounds(plan_spec: TestPlanSpec | TestPlan) -> list[list[Pair]]:
    return rounds(cast(Shape, plan_spec.shape), plan_spec.senders, plan_spec.receivers)


def validate_plan(site: Site, plan_spec: TestPlanSpec, now: datetime) -> None:
    """Return when the plan can run as far as is known. Refused with errors by field."""
    context = SiteContext(site, now)
    wrong = end_errors(plan_spec.shape, plan_spec.senders, plan_spec.receivers) or _ends(context, plan_spec)
    if wrong:
        reason = "; ".join(f"{field}: {text}" for field, text in wrong.items())
        raise Refused(f"Invalid end points: {reason}.", fields=wrong)
    twice = repeated(plan_spec.matrix)
    if twice:
        reason = "list each value once"
        named = listing(twice)
        raise Refused(
            f"The matrix lists a value twice: {named}.", fields={f"matrix.{at}": reason for at in twice}
        )
    made = pieces(context, plan_spec)
    if plan_spec.budget_s is not None and plan_spec.budget_s < max(piece.seconds for piece in made):
        reason = "less than one cell needs: the plan would never run"
        raise Refused(f"The budget is {reason}.", fields={"budget_s": reason})
    seconds = sum(piece.seconds for piece in made)
    if seconds > LONGEST_S:
        reason = f"a run would take {duration(seconds)}; the limit is one day"
        raise Refused(f"The plan is too long: {reason}.", fields={"matrix": reason})
    if plan_spec.schedule and timetable(plan_spec.schedule).after(now) is None:
        reason = "it never occurs"
        raise Refused(f"The schedule {plan_spec.schedule!r} never occurs.", fields={"schedule": reason})


def _ends(context: SiteContext, plan_spec: TestPlanSpec) -> dict[str, str]:
    if plan_spec.fabric and context.fabric(plan_spec.fabric) is None:
        return {"fabric": f"the site has no fabric {plan_spec.fabric}"}
    for field, names in (("senders", plan_spec.senders), ("receivers", plan_spec.receivers)):
        unknown = [name for name in names if name not in context.nodes]
        if unknown:
            return {field: f"the site has no node {listing(unknown)}"}
        without = [name for name in names if context.nodes[name].agent is None]
        kind = KINDS.get(str(plan_spec.matrix.get("kind")))
        if without and (field == "senders" or kind is None or kind.has_server):
            return {field: f"no agent on {listing(without)}"}
    for flows in _rounds(plan_spec):
        for one, other in flows:
            if context.route(one, other, plan_spec.fabric) is None:
                where = f" on {plan_spec.fabric}" if plan_spec.fabric else ""
                return {"receivers": f"{one} and {other} have no matching addresses{where}"}
    return {}


_FIELDS: tuple[tuple[str, Callable[[], crontab_parser]], ...] = (
    ("minutes", lambda: crontab_parser(60)),
    ("hours", lambda: crontab_parser(24)),
    ("days", lambda: crontab_parser(31, 1)),
    ("months", lambda: crontab_parser(12, 1)),
    ("weekdays", lambda: crontab_parser(7)),
)


def timetable(text: str) -> Timetable:
    """Parse `0 3 * * mon-fri` or `*/15 * * * *` with Celery's parser. Refused names the invalid field."""
    parts = text.split()
    if len(parts) != len(_FIELDS):
        reason = "expected five fields: minute hour day month weekday, for example 0 3 * * mon-fri"
        raise Refused(f"Invalid schedule {text!r}: {reason}.", fields={"schedule": reason})
    found: dict[str, frozenset[int]] = {}
    for (name, parser), part in zip(_FIELDS, parts, strict=True):
        try:
            found[name] = frozenset(parser().parse(part))
        except (ParseException, ValueError) as problem:
            reason = f"{part!r} in {name}: {problem}"
            raise Refused(f"Invalid schedule: {reason}.", fields={"schedule": reason}) from problem
    return Timetable(**found, either_day=parts[2] != "*" and parts[4] != "*")
