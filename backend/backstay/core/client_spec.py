"""Facts that clients take from the server: the `x-backstay` extension of openapi.json."""

from __future__ import annotations

from dataclasses import asdict, fields

from backstay.core.alerting.wallboard import wallboard_choices
from backstay.core.csv_text import CSV_SPEC
from backstay.core.formatting import FORMAT_SPEC
from backstay.core.labels import CELL_STATE_LABELS, DETECTIONS, VERDICT_LABELS
from backstay.core.model.event_kinds import EVENT_KINDS
from backstay.core.model.progress import CHANGE_KIND_LABELS, PROGRESS
from backstay.core.model.routing import ENGINES, EngineSpec
from backstay.core.model.state import STATE_SPECS
from backstay.core.model.throughput_kinds import DIRECTIONS, KINDS, SHAPES, Parameter, TestKind
from backstay.core.model.topology import NODE_LABEL_TITLES
from backstay.core.thresholds import THRESHOLDS


def client_spec() -> dict[str, object]:
    """Plain JSON-able data: number formats with examples, thresholds, engines, states, events, tests."""
    return {
        "formatting": FORMAT_SPEC,
        "csv": CSV_SPEC,
        "thresholds": THRESHOLDS,
        "engines": {kind.value: _engine(spec) for kind, spec in ENGINES.items()},
        "detections": [{"value": kind.value, **asdict(spec)} for kind, spec in DETECTIONS.items()],
        "states": {
            fact: {state: asdict(spec) for state, spec in specs.items()}
            for fact, specs in STATE_SPECS.items()
        },
        "progress": {
            what: {state: asdict(spec) for state, spec in specs.items()} for what, specs in PROGRESS.items()
        },
        "change_kinds": CHANGE_KIND_LABELS,
        "wallboard": wallboard_choices(),
        "event_kinds": [
            {"kind": kind.value, "category": kind.category, "label": spec.label}
            for kind, spec in EVENT_KINDS.items()
        ],
        "node_labels": [{"name": name, "title": title} for name, title in NODE_LABEL_TITLES.items()],
        "throughput": {
            "shapes": SHAPES,
            "directions": DIRECTIONS,
            "verdicts": {name: asdict(label) for name, label in VERDICT_LABELS.items()},
            "cell_states": {state: asdict(label) for state, label in CELL_STATE_LABELS.items()},
            "kinds": [_test_kind(kind) for kind in KINDS.values()],
        },
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
