"""`backstay policies apply -f`: compared, stored, planned, and nothing the second time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from backstay_testing.cli.api_fake import Examples
from backstay_testing.cli.fake_server import Asked, Run, World
from backstay_testing.cli.rollout import change

SPEC = {"name": "sp-new", "prefix": "0.0.0.0/0", "nodes": {"names": ["sp*"]}, "gateways": ["grf1", "atmgw"]}
TIMERS = {"interval_ms": 50, "fail_after": 3}


@pytest.fixture
def stored(world: World) -> list[dict[str, Any]]:
    """A backend that keeps what it is sent, with the defaults of the API."""
    policies: list[dict[str, Any]] = []

    def keep(asked: Asked, ident: int) -> tuple[int, Any]:
        body = {name: value for name, value in asked.body.items() if name not in {"site", "nodes"}}
        group: dict[str, Any] = {
            "names": [],
            "role": "",
            "number_from": None,
            "number_to": None,
            "labels": {},
        }
        defaults = {"timers": TIMERS, "detection": "checker", "note": "", "stripe": None, "target": None}
        policy = {**defaults, "return_path": None, **body, "group": group | asked.body["nodes"], "id": ident}
        policies[ident - 1 : ident] = [policy]
        return 201, policy

    Examples().fill(world)
    world.answers["GET", "/failover-policies"] = policies
    world.answers["POST", "/failover-policies"] = lambda asked: keep(asked, len(policies) + 1)
    world.answers["PUT", "/failover-policies/1"] = lambda asked: keep(asked, 1)
    world.answers["POST", "/changes"] = (201, change("planned").model_dump(mode="json"))
    world.answers["GET", "/changes/42"] = change("planned")
    return policies


def apply(run: Run, file: Path, *options: str) -> Any:
    return run("--site", "argonne", "policy", "apply", "-f", str(file), *options)


def test_new_policy_is_stored_and_planned_and_a_second_run_changes_nothing(
    world: World, run: Run, stored: list[dict[str, Any]], tmp_path: Path
) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text(yaml.safe_dump(SPEC))
    first = apply(run, file, "--ticket", "NET-7")
    assert first.code == 0
    assert "sp-new: created" in first.out
    assert "Change #42" in first.out
    (planned,) = world.made("POST", "/changes")
    assert (planned.body["kind"], planned.body["policies"], planned.body["ticket"]) == (
        "policies",
        [1],
        "NET-7",
    )
    second = apply(run, file)
    assert (second.code, second.out) == (0, "sp-new: unchanged\n")
    assert len(world.made("POST", "/failover-policies")) == len(world.made("POST", "/changes")) == 1
    assert world.made("PUT", "/failover-policies/1") == []


def test_changed_field_is_shown_and_the_others_stay(
    world: World, run: Run, stored: list[dict[str, Any]], tmp_path: Path
) -> None:
    file = tmp_path / "policy.json"
    file.write_text(json.dumps(SPEC))
    apply(run, file, "--no-plan")
    file.write_text(json.dumps({"name": "sp-new", "timers": {"fail_after": 5}}))
    dry = apply(run, file, "--dry-run")
    assert "sp-new: changed (nothing was stored)" in dry.out
    assert "timers.fail_after 3 5" in dry.squeezed()
    assert world.made("PUT", "/failover-policies/1") == []
    answer = apply(run, file, "-o", "json").json
    assert answer["policies"] == [
        {
            "name": "sp-new",
            "result": "changed",
            "differences": [{"field": "timers.fail_after", "before": 3, "after": 5}],
        }
    ]
    (put,) = world.made("PUT", "/failover-policies/1")
    assert put.body["timers"] == {"interval_ms": 50, "fail_after": 5}
    assert put.body["gateways"] == SPEC["gateways"]
    assert apply(run, file).out == "sp-new: unchanged\n"


def test_exported_file_is_one_that_apply_finds_unchanged(
    world: World, run: Run, stored: list[dict[str, Any]], tmp_path: Path
) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text(yaml.safe_dump(SPEC))
    apply(run, file, "--no-plan")
    exported = run("--site", "argonne", "policies", "export", "-o", "yaml").out
    assert yaml.safe_load(exported)[0]["nodes"]["names"] == ["sp*"]
    file.write_text(exported)
    assert apply(run, file).out == "sp-new: unchanged\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a: [", "is neither YAML nor JSON, line"),
        ("", "has no policy"),
        ("- 1", "has no policy"),
        ("prefix: 0.0.0.0/0", "lacks its name"),
        ("name: a\ngateway: grf1", "Unknown field gateway: use name, prefix"),
    ],
)
@pytest.mark.usefixtures("stored")
def test_wrong_file_is_refused_with_the_reason(
    world: World, run: Run, tmp_path: Path, text: str, reason: str
) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text(text)
    done = apply(run, file)
    assert (done.code, reason in done.err) == (2, True), done.err
    assert world.made("POST", "/failover-policies") == []
