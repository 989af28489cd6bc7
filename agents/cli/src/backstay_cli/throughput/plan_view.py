"""A test plan as text: its ends, varied parameters, number of cells, schedule and limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod
from typing import Any

from rich.console import ConsoleRenderable
from rich.text import Text

from backstay_cli.models import TestPlanOut
from backstay_cli.output import heading, table
from backstay_cli.states import progress_label
from backstay_cli.text import byte_size, clock, count, length, rate, shown
from backstay_cli.throughput.kinds import SHAPES, option_name, parameter
from backstay_cli.throughput.labels import between
from backstay_cli.throughput.run_view import headline as run_headline

_FORMATS: dict[str, Callable[[Any], str]] = {
    "bytes": byte_size,
    "bit/s": rate,
    "packets/s": "{:g} per second".format,
    "s": length,
}
"""By a parameter's unit."""


def kind_of(plan: TestPlanOut) -> str:
    """`tcp`, `request ack`."""
    return str(plan.matrix.get("kind", "")).replace("_", " ")


def format_parameter(name: str, value: Any, kind: str) -> str:
    """One value of a matrix, with its unit."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return _FORMATS.get(parameter(kind, name)["unit"], str)(value)


def matrix_rows(plan: TestPlanOut) -> list[tuple[str, str]]:
    """The parameters, varied or not, each with its values."""
    kind = str(plan.matrix.get("kind", ""))
    rows = []
    for name, value in plan.matrix.items():
        if name == "kind" or value is None:
            continue
        values = value if isinstance(value, list) else [value]
        formatted = ", ".join(format_parameter(name, item, kind) for item in values)
        rows.append((option_name(parameter(kind, name)).replace("-", " "), formatted))
    return rows


def product(plan: TestPlanOut) -> str:
    """`4 streams x 2 buffer x 3 repeats = 24 cells per run`."""
    lists = {name: len(one) for name, one in plan.matrix.items() if isinstance(one, list) and len(one) > 1}
    parts = [f"{number} {name.replace('_', ' ')}" for name, number in lists.items()]
    parts += [f"{plan.repeats} repeats"] if plan.repeats > 1 else []
    pairs = plan.cells // max(prod(lists.values()) * plan.repeats, 1)
    parts += [f"{pairs} pairs"] if pairs > 1 else []
    total = f"{count(plan.cells, 'cell')} per run"
    return f"{' x '.join(parts)} = {total}" if len(parts) > 1 else total


def when(plan: TestPlanOut) -> str:
    """Its schedule and next run."""
    if not plan.schedule:
        return "on request"
    following = f"; next at {clock(plan.next_at)}" if plan.next_at is not None else ""
    return f"{plan.schedule} (UTC){following}{'' if plan.enabled else '; disabled'}"


def bounds(plan: TestPlanOut) -> str:
    """Limits on its runs."""
    parts = [f"priority {plan.priority}"]
    if plan.quiet_percent is not None:
        parts.append(f"only while cross traffic is at most {plan.quiet_percent:g} % of a link")
    parts += [f"{length(plan.budget_s)} of tests per day"] if plan.budget_s is not None else []
    parts += [f"{byte_size(plan.budget_bytes)} per day"] if plan.budget_bytes is not None else []
    return "; ".join(parts)


def plan_parts(plan: TestPlanOut) -> Iterator[ConsoleRenderable]:
    """A whole plan, with the result of its latest run."""
    yield heading(f"Test plan {plan.name} at {plan.site} - ") + progress_label(
        "test_run", plan.state, plan.state_text
    )
    rows = [
        ("test", kind_of(plan)),
        ("ends", f"{between(plan.senders, plan.receivers)} ({SHAPES.get(plan.shape, plan.shape)})"),
        *([("fabric", plan.fabric)] if plan.fabric else []),
        *matrix_rows(plan),
        ("cells", product(plan)),
        ("runs", when(plan)),
        ("limits", bounds(plan)),
        *([("note", plan.note)] if plan.note else []),
        ("by", plan.author or "-"),
    ]
    made = table(("", ""), rows)
    made.show_header = False
    made.columns[0].style = "dim"
    made.columns[0].no_wrap = True
    yield made
    if plan.last_run is not None:
        yield Text("")
        yield run_headline(plan.last_run)
        if plan.last_run.verdict is not None:
            yield Text(shown(plan.last_run.verdict.sentence))


def next_step(plan: TestPlanOut) -> str:
    """The next command."""
    if plan.may_run:
        return f"Next: backstay tests run {plan.name} --wait"
    if plan.last_run is not None and plan.last_run.may_cancel:
        return f"Next: backstay tests show {plan.last_run.id} --wait"
    return ""
