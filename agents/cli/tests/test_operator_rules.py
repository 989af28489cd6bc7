"""`backstay rules` and `backstay limits`: settings, overrides, previews, effective settings."""

from __future__ import annotations

from typing import Any

import pytest

from backstay_testing.cli.fake_server import AT, Run, World

RULE: dict[str, Any] = {
    "kind": "saturation",
    "name": "Saturation",
    "group": "load",
    "group_title": "Load",
    "summary": "A direction of a link stays near its usable rate.",
    "about": "link",
    "enabled": True,
    "enabled_by_default": True,
    "severity": "warning",
    "has_own_severity": False,
    "parameters": [
        {
            "name": name,
            "label": name,
            "unit": unit,
            "type": "number",
            "minimum": 0,
            "maximum": 100,
            "default": default,
            "value": value,
            "help": "Help.",
        }
        for name, unit, default, value in (
            ("raise_at", "share", 0.9, 0.85),
            ("clear_at", "share", 0.75, 0.75),
            ("samples", "samples", 3, 3),
        )
    ],
    "scopes": ["site", "fabric", "role", "label", "port"],
    "overrides": 1,
    "open_incidents": 2,
    "has_preview": True,
    "lists_unmeasured": True,
    "runbook": "docs/runbooks/saturation.md",
    "origin": "operator",
    "changed_by": "ada",
    "changed_at": AT.isoformat(),
}
OVERRIDE = {
    "id": 4,
    "kind": "saturation",
    "scope": "role",
    "match": "gateway",
    "name": "role gateway",
    "enabled": None,
    "severity": "critical",
    "parameters": {"raise_at": 0.8},
    "origin": "operator",
    "changed_by": "ada",
    "changed_at": AT.isoformat(),
}
PREVIEW = {
    "start": AT.isoformat(),
    "end": AT.isoformat(),
    "incidents": 12,
    "objects": 40,
    "read": 38,
    "worst": [{"name": "grf1:ga030-origin1:at0", "incidents": 9}],
    "notes": ["2 of 40 objects have no values in this time."],
}
LIMIT = {
    "id": 8,
    "name": "hot",
    "metric": "entity.temperature",
    "title": "Temperature",
    "unit": "°C",
    "subject": "temp*",
    "role": "",
    "labels": {"rack": "a1"},
    "above": True,
    "raise_at": 60.0,
    "clear_at": 55.0,
    "for_s": 60.0,
    "severity": "critical",
    "enabled": True,
    "origin": "operator",
    "changed_by": "ada",
    "changed_at": AT.isoformat(),
}


@pytest.fixture(autouse=True)
def rules(world: World) -> None:
    world.answers |= {
        ("GET", "/rules"): [RULE],
        ("GET", "/rules/saturation"): RULE,
        ("PUT", "/rules/saturation"): RULE,
        ("GET", "/rules/saturation/overrides"): [OVERRIDE],
        ("POST", "/rules/saturation/overrides"): (201, OVERRIDE),
        ("DELETE", "/rule-overrides/4"): (204, b""),
        ("POST", "/rules/saturation/preview"): PREVIEW,
        ("GET", "/rules/saturation/unmeasured"): [
            {"name": "sp01:css0", "reason": "its usable rate is unknown", "url": None}
        ],
        ("GET", "/rule-file"): {"site": "argonne", "text": "rules: []\nmetric_limits: []\n"},
        ("GET", "/metric-limits"): [LIMIT],
        ("POST", "/metric-limits"): (201, LIMIT),
        ("PUT", "/metric-limits/8"): LIMIT,
        ("DELETE", "/metric-limits/8"): (204, b""),
        ("POST", "/metric-limits/preview"): PREVIEW,
    }


def test_rules_are_listed_by_group_with_their_parameters(run: Run) -> None:
    done = run("rules", "list")
    assert done.code == 0
    assert "raise_at=85 %, clear_at=75 %, samples=3 samples" in done.squeezed()


def test_one_rule_shows_bounds_defaults_and_overrides(run: Run) -> None:
    text = run("rules", "show", "saturation").squeezed()
    assert "raise_at 85 % 90 % 0 to 100 Help." in text
    assert "role gateway critical, raise_at=0.8 ada" in text


def test_set_for_the_site_keeps_the_other_changes(world: World, run: Run) -> None:
    assert run("rules", "set", "saturation", "samples=5", "--severity", "critical").code == 0
    (asked,) = world.made("PUT", "/rules/saturation")
    assert asked.body == {
        "site": "argonne",
        "enabled": True,
        "severity": "critical",
        "parameters": {"raise_at": 0.85, "samples": 5},
    }


def test_set_for_a_part_keeps_what_its_override_has(world: World, run: Run) -> None:
    assert run("rules", "set", "saturation", "clear_at=0.6", "--disable", "--role", "gateway").code == 0
    (asked,) = world.made("POST", "/rules/saturation/overrides")
    assert asked.body == {
        "site": "argonne",
        "scope": "role",
        "match": "gateway",
        "enabled": False,
        "severity": "critical",
        "parameters": {"raise_at": 0.8, "clear_at": 0.6},
    }


def test_reset_deletes_the_override_of_a_part(world: World, run: Run) -> None:
    assert run("rules", "reset", "saturation", "--role", "gateway").code == 0
    assert len(world.made("DELETE", "/rule-overrides/4")) == 1
    done = run("rules", "reset", "saturation", "--role", "compute")
    assert (done.code, "no override for role compute" in done.err) == (2, True)


def test_preview_says_how_often_and_what_was_not_read(run: Run) -> None:
    text = run("rules", "preview", "saturation", "raise_at=0.7").squeezed()
    assert "Would have opened 12 incidents" in text
    assert "grf1:ga030-origin1:at0 9" in text
    assert "2 of 40 objects have no values" in text


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("set", "saturation", "raise_at"), "is no parameter"),
        (("set", "saturation", "--role", "a", "--port", "b:c"), "at most one of"),
        (("show", "../agents"), "is no rule"),
    ],
)
def test_wrong_usage_is_refused(run: Run, arguments: tuple[str, ...], text: str) -> None:
    done = run("rules", *arguments)
    assert (done.code, text in done.err) == (2, True), done.err


def test_unmeasured_objects_and_the_export(run: Run) -> None:
    assert "its usable rate is unknown" in run("rules", "unmeasured", "saturation").out
    assert run("rules", "export").out == "rules: []\nmetric_limits: []\n"


def test_limits_are_listed_stored_replaced_previewed_and_removed(world: World, run: Run) -> None:
    assert (
        "hot entity.temperature above 60 °C 55 °C 1 min critical temp*, rack=a1 ada"
        in run("limits", "list").squeezed()
    )
    arguments = ("entity.temperature", "--above", "60", "--clear", "55", "--label", "rack=a1")
    assert run("limits", "set", "new", *arguments).code == 0
    (asked,) = world.made("POST", "/metric-limits")
    assert (asked.body["raise_at"], asked.body["clear_at"], asked.body["labels"]) == (60, 55, {"rack": "a1"})
    assert run("limits", "set", "hot", *arguments).code == 0
    assert len(world.made("PUT", "/metric-limits/8")) == 1
    assert "12 incidents" in run("limits", "set", "hot", *arguments, "--preview").out
    assert run("limits", "remove", "hot").code == 0
    assert len(world.made("DELETE", "/metric-limits/8")) == 1
    done = run("limits", "set", "hot", "entity.temperature")
    assert (done.code, "either --above or --below" in done.err) == (2, True)
