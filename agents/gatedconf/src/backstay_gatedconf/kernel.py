"""`kernel { ... };`: how gated updates the kernel's table; remnants, and routes kept at exit."""

from __future__ import annotations

from dataclasses import dataclass

from backstay_gatedconf import trace
from backstay_gatedconf.tokens import Cursor

_TYPES = ("interface", "interior", "all")
_PRIORITIES = ("flash", "higher", "lower")


@dataclass(frozen=True, slots=True)
class Batch:
    """`flash [limit N] [type T]` or `background [limit N] [priority P]`; `how` is T or P."""

    kind: str
    limit: int | None = None
    how: str = ""


@dataclass(frozen=True, slots=True)
class Kernel:
    """The one `kernel` statement."""

    no_change: bool = False
    no_flush_at_exit: bool = False
    remnant_hold_s: int | None = None
    routes: int | None = None
    batches: tuple[Batch, ...] = ()
    trace: tuple[trace.Trace, ...] = ()


Item = tuple[str, object]


def parse(cursor: Cursor) -> Kernel:
    """After the keyword `kernel`."""
    items = [item for group in cursor.body(_items) for item in group]
    kinds = {kind for kind, _ in items}
    numbers = {kind: value for kind, value in items if isinstance(value, int)}
    return Kernel(
        "nochange" in kinds,
        "noflushatexit" in kinds,
        numbers.get("remnantholdtime"),
        numbers.get("routes"),
        tuple(value for _, value in items if isinstance(value, Batch)),
        tuple(value for _, value in items if isinstance(value, trace.Trace)),
    )


def _items(cursor: Cursor) -> list[Item]:
    kind = cursor.choice("options", "remnantholdtime", "routes", "flash", "background", "traceoptions")
    if kind == "options":
        return [(option, None) for option in ("nochange", "noflushatexit") if cursor.has(option)]
    if kind in {"remnantholdtime", "routes"}:
        return [(kind, cursor.number(0, 2**31 - 1))]
    if kind == "traceoptions":
        return [(kind, trace.parse(cursor))]
    limit = cursor.number_after("limit", 0, 2**31 - 1)
    if kind == "flash":
        how = cursor.choice(*_TYPES) if cursor.has("type") else ""
    else:
        how = cursor.choice(*_PRIORITIES) if cursor.has("priority") else ""
    return [(kind, Batch(kind, limit, how))]


def render(value: Kernel) -> str:
    options = ["nochange"] * value.no_change + ["noflushatexit"] * value.no_flush_at_exit
    items = [
        " ".join(["options", *options]) if options else "",
        "" if value.remnant_hold_s is None else f"remnantholdtime {value.remnant_hold_s}",
        "" if value.routes is None else f"routes {value.routes}",
        *map(_render_batch, value.batches),
        *(trace.render(item) for item in value.trace),
    ]
    lines = "".join(f"    {item};\n" for item in items if item)
    return f"kernel {{\n{lines}}}"


def _render_batch(value: Batch) -> str:
    limit = "" if value.limit is None else f"limit {value.limit}"
    how = f"{'type' if value.kind == 'flash' else 'priority'} {value.how}" if value.how else ""
    return " ".join(filter(None, [value.kind, limit, how]))
