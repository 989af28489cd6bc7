"""Labels of throughput tests: causes, states, shapes, points, bytes. Pure.

Labels come from the server (`spec.json`); an unknown name of a newer Backstay is shown unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence

from backstay_cli.errors import OK, UNDONE, WRONG
from backstay_cli.models import EndsOut, ParametersOut, TestCellOut, TestRunOut
from backstay_cli.text import SPEC, byte_size, count, names, rate

_VERDICTS: dict[str, dict[str, str]] = SPEC["throughput"]["verdicts"]
_STATES: dict[str, dict[str, str]] = SPEC["throughput"]["cell_states"]
RUN_STATES: dict[str, dict[str, str]] = SPEC["progress"]["test_run"]
DIRECTIONS: dict[str, str] = SPEC["throughput"]["directions"]
FINE = frozenset({"done", "running", "queued"})
"""States of a cell that need no attention."""
OPEN = frozenset({"queued", "waiting", "running"})
_ENDS = {"cancelled": WRONG, "failed": UNDONE}


def exit_code(run: TestRunOut) -> int:
    """A run's exit code for scripts; also 0 while it runs. 0 for a paper's table."""
    if run.state != "done" or run.source == "paper":
        return _ENDS.get(run.state, OK)
    slower = run.regression is not None and run.regression.outcome == "slower"
    return WRONG if run.cells_bad or slower else OK


def style_of(run: TestRunOut) -> str:
    """The state that determines the colour of a run's text."""
    if run.state == "done" and exit_code(run) != OK:
        return "warning"
    return RUN_STATES[run.state]["tone"] if run.state in RUN_STATES else run.state


def _short(labels: dict[str, dict[str, str]], name: str) -> str:
    return labels[name]["short"] if name in labels else name.replace("_", " ")


def cause(name: str) -> str:
    """A verdict's short label."""
    return _short(_VERDICTS, name)


def cell_label(cell: TestCellOut) -> str:
    """A measured cell's cause, else why it was not measured."""
    if cell.rate is None or cell.verdict is None:
        return _short(_STATES, cell.state)
    return cause(cell.verdict.name)


def ends(flows: Sequence[EndsOut]) -> str:
    """`sp01 to sp02`, `sp01, sp02 to grf1`, `sp01 to sp02, sp03 to sp04`; empty: not known."""
    if not flows:
        return ""
    senders = list(dict.fromkeys(flow.sender for flow in flows))
    receivers = list(dict.fromkeys(flow.receiver for flow in flows))
    if set(senders) == set(receivers) and len(flows) > 1:
        return f"all of {names(senders)}"
    if len(flows) == len(senders) * len(receivers):
        return between(senders, receivers)
    return names([f"{flow.sender} to {flow.receiver}" for flow in flows], 4)


def between(senders: Sequence[str], receivers: Sequence[str]) -> str:
    """`sp01 to sp02`; without receivers the ends of a mesh."""
    return f"{names(senders)} to {names(receivers)}" if receivers else f"among {names(senders)}"


def point(of: ParametersOut) -> str:
    """`4 streams, buffer 64 KiB, reverse`."""
    parts = [count(of.streams, "stream")]
    sizes = (("buffer", of.buffer), ("window", of.window), ("send buffer", of.send_buffer), ("size", of.size))
    parts += [f"{name} {byte_size(value)}" for name, value in sizes if value is not None]
    parts += [f"offered {rate(of.offered_rate)}"] if of.offered_rate is not None else []
    parts += [f"{of.offered_pps:g} per second"] if of.offered_pps is not None else []
    parts += [f"{name} {value}" for name, value in (("MTU", of.mtu), ("MSS", of.mss)) if value is not None]
    parts += ["Nagle off"] if of.no_delay else []
    parts += [] if of.quick_ack is None else ["quick acks" if of.quick_ack else "delayed acks"]
    parts += [item for item in (of.congestion, of.program, of.other) if item]
    parts += [DIRECTIONS.get(of.direction, of.direction)] if of.direction != "forward" else []
    return ", ".join(parts)
