"""Facts that clients take from the server: the `x-backstay` extension of openapi.json."""

from __future__ import annotations

from dataclasses import fields

from backstay.core.formatting import FORMAT_SPEC
from backstay.core.model.routing import ENGINES, EngineSpec
from backstay.core.model.throughput_kinds import KINDS, SHAPES, Parameter, TestKind
from backstay.core.thresholds import THRESHOLDS


def client_spec() -> dict[str, object]:
    """Plain JSON-able data: number formats with golden examples, thresholds, engines, throughput tests."""
    return {
        "formatting": FORMAT_SPEC,
        "thresholds": THRESHOLDS,
        "engines": {kind.value: _engine(spec) for kind, spec in ENGINES.items()},
        "throughput": {"shapes": SHAPES, "kinds": [_test_kind(kind) for kind in KINDS.values()]},
    }


def _engine(spec: EngineSpec) -> dict[str, object]:
    return {"label": spec.label, "detections": sorted(spec.detections), "switch_ms": spec.switch_ms}


def _test_kind(kind: TestKind) -> dict[str, object]:
    return {
        "name": kind.name,
        "label": kind.label,
        "description": kind.description,
        "load": kind.load,
        "shapes": list(kind.shapes),
        "ends_by": list(kind.ends_by),
        "excludes": [list(pair) for pair in kind.excludes],
        "has_server": kind.has_server,
        "programs": list(kind.programs),
        "parameters": [_parameter(parameter) for parameter in kind.parameters],
    }


def _parameter(parameter: Parameter) -> dict[str, object]:
    values = {field.name: getattr(parameter, field.name) for field in fields(parameter)}
    return values | {"choices": list(parameter.choices), "choice_labels": list(parameter.choice_labels)}
