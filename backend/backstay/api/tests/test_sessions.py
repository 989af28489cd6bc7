"""Sign-in and sign-out: sessions, and throttling of password guesses."""

from __future__ import annotations

import time
import uuid
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from backstay.accounts.sign_in import SLOT_S
from backstay.api.tests.world import World, person
from backstay.core.roles import Role

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def world(db: None) -> World:
    """A site for roles."""
    return World.make()


def test_sign_out_ends_the_session_on_the_server(client: Client) -> None:
    client.force_login(person("sam", Role.VIEWER))
    cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
    assert client.delete("/api/v1/session").status_code == 204
    client.cookies[settings.SESSION_COOKIE_NAME] = cookie
    assert client.get("/api/v1/session").status_code == 401


def test_password_guessing_is_slowed_down_and_the_right_password_still_accepted(client: Client) -> None:
    name = f"sam-{uuid.uuid4().hex}"
    person(name, Role.VIEWER)

    def attempt(password: str) -> Any:
        body = {"username": name, "password": password}
        return client.post("/api/v1/session", body, content_type="application/json")

    assert [attempt("wrong").status_code for _ in range(10)] == [401] * 10
    began = time.monotonic()
    assert [attempt(password).status_code for password in ("wrong", "wrong", "correct horse")] == [
        401,
        401,
        200,
    ]
    assert time.monotonic() - began > 1.9 * SLOT_S, (
        "the second and the third wait for the slot of the one before"
    )


def test_sign_in_from_another_origin_is_refused(client: Client) -> None:
    person("sam", Role.VIEWER)
    body = {"username": "sam", "password": "correct horse"}
    for origin, status in (("https://evil.example", 403), ("null", 403), ("http://testserver", 200)):
        reply = client.post(
            "/api/v1/session", body, content_type="application/json", headers={"origin": origin}
        )
        assert reply.status_code == status


def test_user_without_role_cannot_sign_in(client: Client) -> None:
    person("sam", None)
    body = {"username": "sam", "password": "correct horse"}
    assert client.post("/api/v1/session", body, content_type="application/json").status_code == 401
    assert client.get("/api/v1/session").status_code == 401
