"""Core test kinds and wire specs have the same parameters."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from pydantic import BaseModel

from backstay.core.model.throughput_kinds import KINDS, Parameter
from backstay_wire.throughput_kinds import Spec

SPECS: dict[str, type[BaseModel]] = {
    spec.model_fields["kind"].default: spec for spec in get_args(get_args(Spec)[0])
}


def test_agents_run_every_kind() -> None:
    assert SPECS.keys() == KINDS.keys()


@pytest.mark.parametrize("kind", KINDS)
def test_parameters_match_the_wire_bounds_and_defaults(kind: str) -> None:
    schema = SPECS[kind].model_json_schema()
    wire = {name: _resolved(part, schema) for name, part in schema["properties"].items() if name != "kind"}
    assert wire.keys() == {parameter.name for parameter in KINDS[kind].parameters}
    for parameter in KINDS[kind].parameters:
        assert _bounds(wire[parameter.name]) == _spec_bounds(parameter), parameter.name
        if parameter.name not in KINDS[kind].ends_by and not parameter.required:
            assert wire[parameter.name].get("default") == parameter.default, parameter.name
    required = set(schema.get("required", ()))
    assert required == {parameter.name for parameter in KINDS[kind].parameters if parameter.required}


def _resolved(part: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    for option in part.get("anyOf", ()):
        if option.get("type") != "null":
            return {**option, "default": part.get("default")}
    if "$ref" in part:
        return {**schema["$defs"][part["$ref"].rsplit("/", 1)[1]], "default": part.get("default")}
    return part


def _bounds(part: dict[str, Any]) -> tuple[object, ...]:
    top = part.get("maximum", part["exclusiveMaximum"] - 1 if "exclusiveMaximum" in part else None)
    low = part.get("minimum", part.get("exclusiveMinimum"))
    return low, "exclusiveMinimum" in part, top, tuple(part.get("enum", ())), part.get("pattern", "")


def _spec_bounds(parameter: Parameter) -> tuple[object, ...]:
    return (
        parameter.minimum,
        parameter.exclusive_minimum,
        parameter.maximum,
        parameter.choices,
        parameter.pattern,
    )


@pytest.mark.parametrize("kind", KINDS)
def test_defaults_of_a_new_plan_are_within_the_bounds(kind: str) -> None:
    for parameter in KINDS[kind].parameters:
        step = 1024 if parameter.unit == "bytes" else 1000
        for text in filter(None, parameter.initial.split(", ")):
            value = float(text.rstrip("KM")) * step ** " KM".index(text[-1] if text[-1] in "KM" else " ")
            assert (parameter.minimum or 0) <= value <= (parameter.maximum or value), (parameter.name, text)
