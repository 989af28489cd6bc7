"""What throughput tests are called in a terminal: causes, states and shapes in a word, points, octets. Pure.

The short words are those of the pages; what a newer Backstay names besides is shown by its own name.
"""

from __future__ import annotations

from collections.abc import Sequence

from backstay_cli.errors import OK, UNDONE, WRONG
from backstay_cli.models import EndsOut, ParametersOut, TestCellOut, TestRunOut
from backstay_cli.text import count, names, rate

CAUSES = {
    "medium_limited": "medium", "window_limited": "window", "delayed_ack": "ack wait",
    "sender_buffer": "buffer", "packet_rate": "packets", "cpu_endpoint": "end CPU", "cpu_gateway": "gw CPU",
    "loss_limited": "loss", "fair_share": "shared", "one_direction": "one way", "narrow_hop": "narrow",
    "low_mtu_hop": "MTU", "unstable": "unstable", "scaling": "scales", "inconclusive": "unclear",
}  # fmt: skip
NO_FIGURE = {
    "queued": "to come", "missing_tool": "no tool", "wrong_version": "version", "truncated": "cut short",
    "timed_out": "too late", "cancelled": "called off", "lost_agent": "no agent",
    "aborted_by_load": "link busy",
}  # fmt: skip
SHAPES = {
    "pair": "one to one", "n_pairs": "pairs at the same time", "many_to_one": "many to one",
    "one_to_many": "one to many", "n_way": "all to all at the same time",
    "mesh": "each pair alone, both ways",
}  # fmt: skip
FINE = frozenset({"done", "running", "queued"})
"""States of a cell that are no reason to worry."""
OPEN = frozenset({"queued", "waiting", "running"})
_ENDS = {"cancelled": WRONG, "failed": UNDONE}
_WAYS = {"reverse": "reverse", "both": "both ways at a time"}
_STEPS = ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"))


def exit_code(run: TestRunOut) -> int:
    """How a run ended, for scripts; 0 too while it is not over. A paper's table is what it is."""
    if run.state != "done" or run.source == "paper":
        return _ENDS.get(run.state, OK)
    slower = run.regression is not None and run.regression.outcome == "slower"
    return WRONG if run.cells_bad or slower else OK


def style_of(run: TestRunOut) -> str:
    """The state whose colour a run's words have."""
    return "warning" if run.state == "done" and exit_code(run) != OK else run.state


def cause(name: str) -> str:
    """A verdict in a word."""
    return CAUSES.get(name, name.replace("_", " "))


def in_a_word(cell: TestCellOut) -> str:
    """A cell's cause where it has a figure, else why it has none."""
    if cell.rate is None or cell.verdict is None:
        return NO_FIGURE.get(cell.state, cell.state.replace("_", " "))
    return cause(cell.verdict.name)


def octets(number: int) -> str:
    """`64 KiB`, `1.5 MiB`, `1500 B`; what is no round number of KiB below 10 KiB in octets."""
    for step, unit in _STEPS:
        if number >= step and (step > 1024 or number >= 10 * 1024 or number % 1024 == 0):
            return f"{number / step:.4g} {unit}"
    return f"{number} B"


def percent(share: float | None) -> str:
    """`87%`; empty of None."""
    return "" if share is None else f"{share * 100:.0f}%"


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
    parts += [f"{name} {octets(value)}" for name, value in sizes if value is not None]
    parts += [f"offered {rate(of.offered_rate)}"] if of.offered_rate is not None else []
    parts += [f"{of.offered_pps:g} a second"] if of.offered_pps is not None else []
    parts += [f"{name} {value}" for name, value in (("MTU", of.mtu), ("MSS", of.mss)) if value is not None]
    parts += ["no Nagle"] if of.no_delay else []
    parts += [] if of.quick_ack is None else ["quick acks" if of.quick_ack else "delayed acks"]
    parts += [item for item in (of.congestion, of.program) if item]
    parts += [_WAYS[of.direction]] if of.direction in _WAYS else []
    return ", ".join(parts)
