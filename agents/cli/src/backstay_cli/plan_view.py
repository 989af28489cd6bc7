"""A plan and its change as text: differences, checks, and the effect of each failure."""

from __future__ import annotations

from collections.abc import Iterator

from rich.table import Table
from rich.text import Text

from backstay_cli.models import ArpPlanOut, ArpShapeOut, ChangeDetail, ChangeOut, PlanOut, ShapeOut
from backstay_cli.output import Lines, heading, state_label, table
from backstay_cli.states import LEVELS, progress_label
from backstay_cli.text import count, length, names, seconds_left, shown

SHORT = 12
"""Digits of a digest that users copy; `approve` accepts eight or more."""
_ADDED, _REMOVED = "green", "red"


def headline(change: ChangeOut) -> Text:
    """`Change #42: title - state in words`."""
    title = f": {change.title}" if change.title else ""
    line = Text(shown(f"Change {change.name}{title} - "), style="bold")
    return line + progress_label("change", change.state, change.state_text)


def particulars(change: ChangeOut) -> str:
    """Author, reason and ticket."""
    parts = [f"by {change.author or 'Backstay'}", f"at {change.site}"]
    parts += [f"for {names(change.policies)}"] if change.policies else []
    parts += [f"ticket {change.ticket}"] if change.ticket else []
    parts += [f"reason: {change.reason}"] if change.reason else []
    return "; ".join(parts)


def plan_parts(change: ChangeDetail) -> Iterator[Table | Text | Lines]:
    """Everything that an approver must read."""
    yield headline(change)
    yield Text(shown(particulars(change)), style="dim")
    plan = change.plan
    if plan is None:
        return
    yield Text(shown(plan.summary))
    if plan.stale:
        yield Text(shown(f"The plan is stale: {plan.stale_because}"), style="yellow")
    for shape in plan.shapes:
        yield Text("")
        yield Lines(semantic_lines(shape))
        yield Lines(file_lines(shape))
    if plan.arp is not None:
        yield from arp_parts(plan.arp)
    yield Text("")
    yield checks_table(plan)
    if plan.impacts:
        yield Text("")
        yield impacts_table(plan)
    if plan.waves:
        yield Text("")
        yield table(
            ("wave", "nodes"),
            [(str(number), names(wave)) for number, wave in enumerate(plan.waves, 1)],
        )
    yield Text("")
    yield Text(shown(f"digest {plan.digest}"), style="dim")


def arp_differences(shape: ArpShapeOut) -> Table:
    """Each setting of each port before and after."""
    rows = [
        (difference.port or "-", difference.what, difference.before, difference.after)
        for difference in shape.differences
    ]
    return table(("port", "setting", "now", "after"), rows)


def arp_parts(plan: ArpPlanOut) -> Iterator[Table | Text | Lines]:
    """ARP differences, and the manual steps on devices."""
    for shape in plan.shapes:
        yield Text("")
        yield heading(names(shape.nodes, 16))
        yield arp_differences(shape)
        yield Lines(file_lines(shape))
    for over in plan.hand_overs:
        yield Text("")
        done = "done (read back)" if over.done else "manual step"
        yield heading(f"{over.node}:{over.port} - {done}")
        entries = [(one.address, one.mac, one.node, one.status.replace("_", " ")) for one in over.entries]
        yield table(("address", "hardware address", "node", "read back"), entries)
        for reminder in over.reminders:
            yield Text(shown(reminder), style="dim")


def semantic_lines(shape: ShapeOut) -> Iterator[Text]:
    """Each prefix before and after, best hop first."""
    yield heading(f"{names(shape.nodes, 16)} ({shape.engine})")
    for difference in shape.differences:
        yield Text(shown(f"  {difference.prefix}"))
        if difference.before == difference.after:
            yield Text(shown(f"    as before: {_hops(difference.before)}"), style="dim")
            continue
        yield Text(shown(f"    - {_hops(difference.before)}"), style=_REMOVED)
        yield Text(shown(f"    + {_hops(difference.after)}"), style=_ADDED)


def _hops(of: list[str]) -> str:
    return ", then ".join(of) or "no route"


def file_lines(shape: ShapeOut | ArpShapeOut) -> Iterator[Text]:
    """Unified diffs of the boot files, fit for `patch`; tabs are kept."""
    if shape.files_omitted:
        yield Text(
            f"# {count(shape.files_omitted, 'changed file')} not shown: the plan is too large", style="dim"
        )
    for file in shape.files:
        for line in file.diff.split("\n") if file.diff else ():
            style = _ADDED if line.startswith("+") else _REMOVED if line.startswith("-") else ""
            yield Text(shown(line, keep="\t"), style="bold" if line[:3] in {"+++", "---"} else style)


def _level(level: str) -> Text:
    return state_label(LEVELS[level], level)


def checks_table(plan: PlanOut) -> Table:
    """Failed checks and warnings in full; passed checks as one row."""
    order = {"failed": 0, "warning": 1}
    checks = sorted(
        (check for check in plan.checks if check.level != "passed"), key=lambda c: order.get(c.level, 2)
    )
    rows: list[tuple[Text, str, str, str]] = [
        (state_label(LEVELS[item.level], item.level), item.check, item.text, names(item.nodes))
        for item in checks
    ]
    passed = [check.check for check in plan.checks if check.level == "passed"]
    if passed:
        rows.append(
            (
                _level("passed"),
                count(len(passed), "check"),
                ", ".join(dict.fromkeys(passed)),
                "",
            )
        )
    return table(("result", "check", "description", "nodes"), rows)


def impacts_table(plan: PlanOut) -> Table:
    """Single failures: harmful ones in full, the others as one row."""
    hurt = [impact for impact in plan.impacts if impact.verdict != "holds"]
    held = [impact.failure for impact in plan.impacts if impact.verdict == "holds"]
    rows: list[tuple[Text, str, str, str]] = [
        (progress_label("impact", item.verdict), item.failure, item.text, length(item.seconds))
        for item in hurt
    ]
    if held:
        rows.append((progress_label("impact", "holds"), count(len(held), "failure"), names(held, 12), ""))
    if plan.impacts_omitted:
        more = count(plan.impacts_omitted, "further failure")
        rows.append((Text(""), more, "none more severe, not listed", ""))
    return table(("verdict", "single failure", "effect", "outage"), rows)


def next_step(change: ChangeDetail) -> str:
    """The next command, or why there is none; empty if nothing remains to be done."""
    if change.state == "confirming":
        return (
            f"{length(seconds_left(change))} left: backstay confirm {change.id}, or"
            f" backstay roll-back {change.id} --reason WHY. Without confirmation the guards roll back."
        )
    if change.state == "rolling":
        return f"Next: backstay change {change.id} --wait"
    if "undo" in change.may:
        return f"To undo it: backstay undo {change.id} --reason WHY"
    return _before_it_begins(change) if change.state in {"draft", "planned", "approved"} else ""


def _before_it_begins(change: ChangeDetail) -> str:
    plan = change.plan
    if plan is None or plan.stale:
        return f"Next: backstay plan again {change.id}"
    if plan.blocked:
        return f"A failed check blocks the plan: correct its cause, then backstay plan again {change.id}."
    if not plan.shapes and not (plan.arp and plan.arp.shapes):
        return f"No differences: backstay discard {change.id}"
    if change.state == "approved":
        return f"Next: backstay apply {change.id} --wait"
    why = change.may_not.get("approve")
    command = f"backstay approve {change.id} --digest {plan.digest[:SHORT]}"
    return f"Next, by an approver: {command}" + (f" ({why})" if why else "")
