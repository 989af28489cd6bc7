"""Combinations of the facts of a table of states, for tests that compare every one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from backstay.core.model.state import Facts, StateRule


def combinations(rules: Sequence[StateRule[Any]]) -> Iterator[Facts]:
    """Every combination of the facts that a table asks; a string also has a value of no rule,
    and a fact asked for yes and for no may be unknown."""
    asked: dict[str, set[bool | str | None]] = {}
    values: dict[str, set[bool | str | None]] = {}
    for rule in rules:
        for name, value in rule.when.items():
            more = {"another"} if isinstance(value, str) else {True, False}
            asked.setdefault(name, set()).add(value)
            values.setdefault(name, set()).update({value, *more})
    for name, answers in asked.items():
        if {True, False} <= answers:
            values[name].add(None)
    for chosen in product(*values.values()):
        yield dict(zip(values, chosen, strict=True))
