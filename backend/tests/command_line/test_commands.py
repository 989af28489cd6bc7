"""Every command that reads, run against this backend.

The tests of the command line itself use answers made from the API document; here the answers are real.
"""

from __future__ import annotations

import csv
import io
import json
import logging
import shlex
from collections.abc import Iterator
from functools import partial
from typing import Any

import httpx
import pytest
import yaml
from django.test import Client
from pytest_django import DjangoDbBlocker

from backstay.alerts import services
from backstay.alerts.models import Delivery, Incident
from backstay.alerts.wallboards.models import Wallboard
from backstay.alerts.windows.models import MaintenanceWindow
from backstay.api.tests.full_site import full_site
from backstay.api.tests.world import World, bearer, kept, person
from backstay.core.roles import Role
from backstay.rollout.models import Change, Drill
from backstay.telemetry.export_models import Export
from backstay.throughput.models import TestRun
from backstay_cli.cli import READS, main
from backstay_cli.command_groups import NOUNS

WIDTH = 120
OLDEST: dict[str, Any] = {
    "change": Change,
    "delivery": Delivery,
    "drill": Drill,
    "export": Export,
    "incident": Incident,
    "run": TestRun,
    "wallboard": Wallboard,
    "window": MaintenanceWindow,
}
"""Placeholder -> model, for the oldest row's id."""
ARGUMENTS = {
    "arp show": "hippi",
    "change": "{change}",
    "changes node": "{change} sp01",
    "changes show": "{change}",
    "circuits show": "grf-origin",
    "devices history": "grf1 entity.temperature",
    "devices inspect": "sp01",
    "devices metrics": "sp01",
    "devices recordings": "grf1",
    "devices show": "sp01",
    "diff": "{change}",
    "drills show": "{drill}",
    "exports show": "{export}",
    "extension-nodes show": "grf1",
    "fabrics health": "hippi",
    "fabrics history": "hippi",
    "fabrics show": "hippi",
    "find": "grf1",
    "hold-time": "--timeout 500 --deadline 50",
    "incidents show": "{incident}",
    "limits show": "hot",
    "links history": "grf1:ga030-origin1:at0",
    "links show": "grf1:ga030-origin1:at0",
    "metrics": "sp01",
    "neighbours history": "10.1.0.7",
    "paths decisions": "sp01",
    "paths show": "sp01",
    "policies export": "by-hand",
    "policies outages": "sp-default",
    "policies show": "sp-default",
    "ports history": "sp01:css0",
    "ports show": "sp01:css0",
    "ports trends": "sp01",
    "route": "sp01 origin1",
    "rules port": "sp01:css0",
    "rules show": "saturation",
    "rules unmeasured": "saturation",
    "tests compare": "{run} {run}",
    "tests plan": "mesh",
    "tests show": "{run}",
    "views show": "'hot links'",
    "wallboards show": "{wallboard}",
    "what-if": "--kill grf1",
    "windows show": "{window}",
}
"""Command -> its arguments, of those that need some."""

WITHOUT_NAMES = {"find", "hold-time"}
"""Commands whose arguments are a text to look for, or numbers."""
SENTENCES = {"hold-time", "incidents show"}
"""Commands that print sentences as well, which the terminal wraps."""
ENDS_WITH = {
    "changes node": (2, "has not started on such a node"),
    "diff": (1, "has no plan yet"),
    "exports show": (5, " failed: "),
    "health": (4, "rule evaluation never ran"),
}
"""Command -> its exit code and error, where one is right: there is no worker and no change has started."""


def reads() -> list[str]:
    """Every command that only reads."""
    found = {f"{name} {verb}" for name, noun in NOUNS.items() for verb in noun.reads}
    return sorted(found | {f"{group} {name}".strip() for group, names in READS.items() for name in names})


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with kept(django_db_blocker):
        world = full_site()
        world.forward(60)
        world.sample()
        services.run_round(world.now)
        Export.objects.update(state="failed", ended_at=world.now)  # Its command would wait for the end.
        yield world


def _answer(client: Client, request: httpx.Request) -> httpx.Response:
    """The backend's answer, from this thread and in the test's transaction."""
    headers = {name: value for name, value in request.headers.items() if name != "content-length"}
    target = request.url.raw_path.decode()
    reply = client.generic(request.method, target, request.content, "application/json", headers=headers)
    return httpx.Response(reply.status_code, headers=list(reply.items()), content=reply.getvalue())


@pytest.fixture
def run(  # noqa: PLR0917 - fixtures
    made: World,
    client: Client,
    db: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> Any:
    """Run the program as an administrator of the site."""
    transport = httpx.MockTransport(partial(_answer, client))
    monkeypatch.setattr("backstay_cli.api.httpx.Client", partial(httpx.Client, transport=transport))
    caplog.set_level(logging.WARNING, "httpx")
    token = bearer(person("operator", Role.ADMIN))["authorization"].removeprefix("Bearer ")
    for name, value in {
        "BACKSTAY_URL": "http://testserver",
        "BACKSTAY_TOKEN": token,
        "BACKSTAY_SITE": made.site.name,
        "COLUMNS": str(WIDTH),
        "NO_COLOR": "1",
        "TZ": "UTC",
    }.items():
        monkeypatch.setenv(name, value)
    ids = {name: model.objects.earliest("pk").pk for name, model in OLDEST.items()}

    def ran(line: str, *options: str) -> tuple[int, str, str]:
        capsys.readouterr()
        try:
            main([*shlex.split(line.format(**ids)), *options])
            code = 0
        except SystemExit as left:
            code = int(left.code or 0)
        return code, *capsys.readouterr()

    return ran


def test_every_command_shows_what_the_backend_answers_in_every_format(run: Any) -> None:
    failed: dict[str, object] = {}
    for command in reads():
        line = f"{command} {ARGUMENTS.get(command, '')}".strip()
        for form in ("table", "wide", "json", "yaml", "csv"):
            code, out, error = run(line, "-o", form)
            if command in ENDS_WITH and error:
                expected, reason = ENDS_WITH[command]
                assert (code, reason in error) == (expected, True), (line, code, error)
            elif code not in {0, 1} or not (out.strip() or form == "csv") or "Traceback" in error:
                failed[f"{line} -o {form}"] = (code, error[-300:])
            elif command not in SENTENCES and (wrong := _wrong(form, out)) is not None:
                failed[f"{line} -o {form}"] = wrong
    assert failed == {}, "\n".join(map(str, failed.items()))


def _wrong(form: str, out: str) -> str | None:
    """What is wrong with an output; None: nothing."""
    match form:
        case "json":
            json.loads(out)
        case "yaml":
            yaml.safe_load(out)
        case "csv":
            lengths = {len(row) for row in csv.reader(io.StringIO(out))}
            return None if len(lengths) <= 1 else f"rows of {sorted(lengths)} fields"
        case "table":
            longest = max(map(len, out.splitlines()))
            return None if longest <= WIDTH else f"a line of {longest} characters"
    return None


@pytest.mark.parametrize("command", sorted(set(ARGUMENTS) - WITHOUT_NAMES))
def test_an_unknown_name_is_an_error_and_never_an_empty_list(run: Any, command: str) -> None:
    arguments = ARGUMENTS[command]
    first, *rest = shlex.split(arguments.removeprefix("--kill "))
    unknown = "999999" if first.startswith("{") else "nowhere:x9" if ":" in first else "no-such-name"
    option = "--kill " if arguments.startswith("--kill ") else ""
    code, out, error = run(f"{command} {option}{unknown} {' '.join(rest)}")
    assert code not in {0, 1}, out
    assert error.startswith("backstay: ")
