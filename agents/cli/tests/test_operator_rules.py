"""`backstay rules` and `backstay limits`: settings, overrides, previews, effective settings."""

from __future__ import annotations

import pytest

from backstay_testing.cli.fake_server import Run, World


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


def test_effective_settings_of_a_port_name_their_source_and_ties(run: Run) -> None:
    text = run("rules", "port", "sp01:css0").squeezed()
    assert "saturation raise_at 80 % role gateway role router" in text
    done = run("rules", "port", "sp01:none")
    assert (done.code, "No port named sp01:none" in done.err) == (2, True)


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
