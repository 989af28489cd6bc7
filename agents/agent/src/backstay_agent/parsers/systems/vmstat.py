"""AIX's `vmstat 1 2` (vmstat(1)): processors, memory and paging of the second between its two rows. Pure.

The first row averages since the start of the system and is not used. Columns are found by their heads:
systems with shared processors add `pc` and `ec`, and `sy` is first system calls, then processor time.
"""

from backstay_agent.parsers import text
from backstay_wire import MetricValue

_HEAD = ["r", "b", "avm", "fre"]
_METRICS = {
    "r": "aix.run_queue",
    "b": "aix.blocked_threads",
    "fre": "aix.free_frames",
    "pi": "aix.page_ins",
    "po": "aix.page_outs",
    "us": "aix.cpu_user",
    "sy": "aix.cpu_system",
    "id": "aix.cpu_idle",
    "wa": "aix.cpu_wait",
}
"""Column -> metric; of two columns with the same head, the last one."""
_SUBJECT = "system"


class VmstatError(ValueError):
    """The text has no heads of columns, or no row of the last second."""


def levels(output: str) -> tuple[list[MetricValue], list[str]]:
    """The metrics of the last row, and the rows that are not understood. Raises VmstatError."""
    heads: list[str] = []
    rows: list[list[float]] = []
    unparsed: list[str] = []
    for line in output.splitlines():
        tokens = line.split()
        if tokens[: len(_HEAD)] == _HEAD:
            heads = tokens
        elif heads and tokens:
            try:
                values = [float(token) for token in tokens]
                if len(values) != len(heads) or not all(0 <= value < 2**53 for value in values):
                    raise ValueError(line)
                rows.append(values)
            except ValueError:
                unparsed.append(text.text(line))
    if not heads:
        raise VmstatError("no heads of vmstat's columns")
    if len(rows) < 2:
        raise VmstatError("no row of the last second")
    named = dict(zip(heads, rows[-1], strict=True))
    return [
        MetricValue(subject=_SUBJECT, metric=metric, value=named[head])
        for head, metric in _METRICS.items()
        if head in named
    ], unparsed
