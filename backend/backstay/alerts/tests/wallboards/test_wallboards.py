"""Wallboards: their settings, and what a screen may do with its token."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoDbBlocker, Settings

from backstay.accounts.models import User
from backstay.alerts.models import Wallboard
from backstay.api.http.auth import WALLBOARD_OPERATIONS
from backstay.api.http.rate_limit import MOST_CLIENTS, RateLimit
from backstay.api.public import api
from backstay.api.tests.world import World, bearer, kept, person
from backstay.core.errors import TooMany
from backstay.core.roles import Role
from backstay.inventory.models import Site
from backstay.telemetry.models import Event

URL = "/api/v1/wallboards"
BODY = {"site": "argonne", "name": "control room", "pages": ["overview", "map"], "seconds": 10}


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with kept(django_db_blocker):
        world = World.make()
        World.make(name="elsewhere")
        world.describe()
        yield world


@pytest.fixture
def world(made: World, db: None) -> World:
    return made


@pytest.fixture
def operator(world: World) -> dict[str, str]:
    return bearer(person("olga", Role.OPERATOR, "argonne"))


def post(client: Client, path: str, headers: dict[str, str], body: Any = None) -> Any:
    return client.post(path, body, content_type="application/json", headers=headers)


def hang(client: Client, operator: dict[str, str], **values: Any) -> tuple[int, dict[str, str]]:
    """A new wallboard, and the headers of its screen."""
    reply = post(client, URL, operator, {**BODY, **values})
    assert reply.status_code == 201, reply.content
    return reply.json()["id"], screen(reply.json()["path"])


def screen(path: str) -> dict[str, str]:
    page, _, token = path.partition("#")
    assert page == "/wall"
    return {"authorization": f"Bearer {token}"}


def overview(client: Client, headers: dict[str, str], **more: Any) -> Any:
    return client.get("/api/v1/overview", headers=headers, **more)


def test_token_is_shown_once_and_only_its_digest_is_stored(client: Client, operator: dict[str, str]) -> None:
    ident, headers = hang(client, operator)
    token = headers["authorization"].removeprefix("Bearer ")
    assert len(token) >= 4 + 43  # 256 bits as base64url
    assert token not in str(Wallboard.objects.filter(pk=ident).values().get())
    for path in (URL, f"{URL}/{ident}"):
        assert token not in client.get(path, headers=operator).content.decode()
    assert token not in str(list(Event.objects.values()))


def test_screen_reads_its_settings(client: Client, operator: dict[str, str]) -> None:
    ident, headers = hang(client, operator, theme="light", text_size="large")
    shown = client.get(f"{URL}/current", headers=headers).json()
    assert {name: shown[name] for name in ("name", "site", "pages", "seconds", "theme", "text_size")} == {
        **BODY,
        "theme": "light",
        "text_size": "large",
    }
    listed = client.get(f"{URL}/{ident}", headers=operator).json()
    assert (listed["state"], listed["created_by"]) == ("active", "olga")
    assert listed["used_at"] is not None


def test_operations_of_the_table_are_reads_whose_url_has_their_name(world: World) -> None:
    paths = api.get_openapi_schema(path_prefix="/api/v1/")["paths"]
    reads = {methods["get"]["operationId"] for methods in paths.values() if "get" in methods}
    assert reads >= WALLBOARD_OPERATIONS


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "head", "options"])
def test_no_method_but_get_is_answered(client: Client, operator: dict[str, str], method: str) -> None:
    ident, headers = hang(client, operator)
    for path in ("/api/v1/overview", "/api/v1/incidents", URL, f"{URL}/{ident}", "/api/v1/incidents/bulk"):
        reply = getattr(client, method)(path, headers=headers)
        assert reply.status_code in {403, 405}, (method, path, reply.status_code)


def test_other_sites_do_not_exist_for_a_screen(client: Client, operator: dict[str, str]) -> None:
    _, headers = hang(client, operator)
    assert overview(client, headers).json()["site"]["name"] == "argonne"
    for path in ("overview", "topology", "links", "paths", "incidents"):
        reply = client.get(f"/api/v1/{path}?site=elsewhere", headers=headers)
        assert reply.status_code == 404, path
    foreign = Site.objects.get(name="elsewhere").links.values_list("a_id", flat=True)[0]
    trends = client.get(f"/api/v1/ports/trends?site=elsewhere&port_id={foreign}", headers=headers)
    assert trends.status_code == 404
    trends = client.get(f"/api/v1/ports/trends?port_id={foreign}", headers=headers)
    assert (trends.status_code, trends.json()["ports"]) == (200, [])


def test_session_of_an_operator_adds_nothing_to_a_screen(client: Client, operator: dict[str, str]) -> None:
    ident, headers = hang(client, operator)
    client.force_login(User.objects.get(username="olga"))
    assert post(client, f"{URL}/{ident}/revoke", headers).status_code == 403
    assert client.get("/api/v1/session", headers=headers).status_code == 403


def test_revoked_renewed_expired_and_unknown_tokens_say_so(client: Client, operator: dict[str, str]) -> None:
    ident, first = hang(client, operator)
    second = screen(post(client, f"{URL}/{ident}/renew", operator).json()["path"])
    assert "replaced" in overview(client, first).json()["message"]
    assert overview(client, second).status_code == 200
    Wallboard.objects.update(expires_at=datetime.now(UTC) - timedelta(hours=1))
    expired = overview(client, second)
    assert (expired.status_code, "expired" in expired.json()["message"]) == (401, True)
    Wallboard.objects.update(expires_at=None)
    assert post(client, f"{URL}/{ident}/revoke", operator).json()["state"] == "revoked"
    revoked = overview(client, second)
    assert (revoked.status_code, "revoked" in revoked.json()["message"]) == (401, True)
    for verb in ("renew", "revoke"):
        assert post(client, f"{URL}/{ident}/{verb}", operator).status_code == 409


def test_name_of_a_revoked_wallboard_is_free(client: Client, operator: dict[str, str]) -> None:
    ident, _ = hang(client, operator)
    assert post(client, URL, operator, BODY).status_code == 409
    post(client, f"{URL}/{ident}/revoke", operator)
    assert post(client, URL, operator, BODY).status_code == 201


def test_token_of_an_archived_site_is_unknown(client: Client, world: World, operator: dict[str, str]) -> None:
    _, headers = hang(client, operator)
    Site.objects.filter(pk=world.site.pk).update(archived_at=world.now)
    assert overview(client, headers).status_code == 401


@pytest.mark.parametrize(
    ("values", "status"),
    [
        ({"seconds": 4}, 400),
        ({"seconds": 601}, 400),
        ({"pages": []}, 400),
        ({"pages": ["map", "map"]}, 400),
        ({"pages": ["changes"]}, 400),
        ({"theme": "pink"}, 400),
        ({"name": " "}, 400),
        ({"expires_at": "2020-01-01T00:00:00Z"}, 422),
        ({"expires_at": "2020-01-01T00:00:00"}, 400),
    ],
)
def test_impossible_settings_are_refused(
    client: Client, operator: dict[str, str], values: dict[str, Any], status: int
) -> None:
    assert post(client, URL, operator, {**BODY, **values}).status_code == status


def test_every_write_is_an_event_with_its_author(client: Client, operator: dict[str, str]) -> None:
    ident, _ = hang(client, operator)
    client.put(f"{URL}/{ident}", {**BODY, "seconds": 30}, content_type="application/json", headers=operator)
    post(client, f"{URL}/{ident}/renew", operator)
    post(client, f"{URL}/{ident}/revoke", operator)
    rows = Event.objects.filter(kind__startswith="wallboard.").order_by("pk")
    assert [row.kind for row in rows] == [
        "wallboard.created",
        "wallboard.changed",
        "wallboard.renewed",
        "wallboard.revoked",
    ]
    assert all(row.message.startswith("olga: wallboard control room") for row in rows)


def test_address_that_guesses_tokens_is_slowed_down(client: Client, operator: dict[str, str]) -> None:
    _, headers = hang(client, operator)
    wrong = {"authorization": "Bearer bsw_guess"}
    codes = [overview(client, wrong, REMOTE_ADDR="192.0.2.1").status_code for _ in range(25)]
    assert codes[:20] == [401] * 20
    last = overview(client, wrong, REMOTE_ADDR="192.0.2.1")
    assert (codes[-1], last.status_code, int(last["Retry-After"]) > 0) == (429, 429, True)
    assert overview(client, headers, REMOTE_ADDR="192.0.2.2").status_code == 200


def test_screen_has_a_limited_number_of_calls(client: Client, operator: dict[str, str]) -> None:
    _, headers = hang(client, operator)
    codes = {client.get(f"{URL}/current", headers=headers).status_code for _ in range(400)}
    assert codes == {200, 429}


def test_rate_limit_refills_and_forgets_the_oldest() -> None:
    now = [100.0]
    limit = RateLimit(burst=2, per_s=0.5, clock_s=lambda: now[0])
    for _ in range(2):
        limit.require("a")
        limit.spend("a")
    with pytest.raises(TooMany) as refused:
        limit.require("a")
    assert refused.value.retry_after_s == pytest.approx(2.0)
    limit.require("b")
    now[0] += 2.0
    limit.require("a")
    for client in range(MOST_CLIENTS + 10):
        limit.spend(client)
    assert len(limit._buckets) == MOST_CLIENTS


def test_page_sends_no_referrer_and_its_build_follows_the_files(
    client: Client, operator: dict[str, str], settings: Settings, tmp_path: Path
) -> None:
    settings.FRONTEND_DIR = tmp_path
    (tmp_path / "index.html").write_text("<script src='/assets/one.js'></script>")
    _, headers = hang(client, operator)
    page = client.get("/wall")
    assert (page.status_code, page["Referrer-Policy"]) == (200, "no-referrer")
    assert client.get("/")["Referrer-Policy"] == "same-origin"
    before = client.get(f"{URL}/current", headers=headers).json()["build"]
    (tmp_path / "index.html").write_text("<script src='/assets/second.js'></script>")
    after = client.get(f"{URL}/current", headers=headers).json()["build"]
    assert before != "" != after != before
