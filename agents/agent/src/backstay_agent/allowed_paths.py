"""Refuses assignments that name files or programs outside the places of `backstay_wire.path_rules`."""

import logging
from collections.abc import Iterator, Mapping, Sequence

from pydantic import BaseModel

from backstay_agent.logs import event
from backstay_wire import ChangeAssignment, Desired, Engine
from backstay_wire.allowed_paths import ENGINES
from backstay_wire.path_rules import rules_of

_log = logging.getLogger(__name__)


def forbidden_paths(message: BaseModel, more: Sequence[str] = ()) -> list[str]:
    """`field PATH` for each path in a message, or in one that it contains, that is not allowed."""
    return list(_forbidden(message, more))


def _forbidden(value: object, more: Sequence[str]) -> Iterator[str]:
    if isinstance(value, BaseModel):
        rules = ENGINES[value.kind] if isinstance(value, Engine) else rules_of(type(value))
        for name, inner in value:
            if not isinstance(inner, str):
                yield from _forbidden(inner, more)
            elif inner and name in rules and not rules[name].allows(inner, more):
                yield f"{name} {inner!r}"
    elif isinstance(value, Mapping):
        yield from _forbidden(list(value.values()), more)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _forbidden(inner, more)


def permitted(desired: Desired, more: Sequence[str]) -> Desired:
    """The assignments without the parts that name a forbidden path; those are logged."""
    if not forbidden_paths(desired, more):
        return desired
    refused: list[str] = []
    sources = []
    for source in desired.sources:
        bad = forbidden_paths(source, more)
        refused += bad
        if not bad:
            sources.append(source)
    managed: dict[str, object] = {}
    for name in ("engine", "routing", "arp_files", "arp"):
        part = getattr(desired, name)
        if part is not None and (bad := forbidden_paths(part, more)):
            refused += bad
            managed[name] = None
    event(
        _log,
        logging.ERROR,
        "assignments refused: paths not allowed",
        paths=sorted(set(refused)),
    )
    return desired.model_copy(update={"sources": sources, **managed})


def refusal(change: ChangeAssignment, more: Sequence[str]) -> str:
    """Why this agent does not apply a change; empty if its paths are allowed."""
    bad = forbidden_paths(change, more)
    return f"paths outside the allowed places: {', '.join(sorted(set(bad)))}"[:1000] if bad else ""
