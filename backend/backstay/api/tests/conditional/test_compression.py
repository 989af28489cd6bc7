"""JSON answers are compressed for clients that accept it, and are otherwise the same."""

from __future__ import annotations

import gzip
import json

import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient, Client

from backstay.api.tests.world import World, bearer, person
from backstay.core.roles import Role

LIST = "/api/v1/nodes"


@pytest.fixture
def headers(db: None) -> dict[str, str]:
    World.make().describe()
    return bearer(person("vera", Role.VIEWER))


def test_list_is_the_same_compressed(client: Client, headers: dict[str, str]) -> None:
    plain = client.get(LIST, headers=headers)
    packed = client.get(LIST, headers={**headers, "Accept-Encoding": "gzip, deflate, br"})
    assert "Content-Encoding" not in plain
    assert packed["Content-Encoding"] == "gzip"
    assert len(packed.content) < len(plain.content) / 2
    assert packed["Content-Length"] == str(len(packed.content))
    names = [
        [row["name"] for row in json.loads(text)["items"]]
        for text in (plain.content, gzip.decompress(packed.content))
    ]
    assert names[0] == names[1] != []
    assert "Accept-Encoding" in plain["Vary"]
    assert "Accept-Encoding" in packed["Vary"]


def test_length_does_not_give_the_content_away(client: Client, headers: dict[str, str]) -> None:
    asked = {**headers, "Accept-Encoding": "gzip"}
    assert len({len(client.get(LIST, headers=asked).content) for _ in range(20)}) > 1


def test_known_answer_has_no_body(client: Client, headers: dict[str, str]) -> None:
    asked = {**headers, "Accept-Encoding": "gzip"}
    tag = client.get(LIST, headers=asked)["ETag"]
    again = client.get(LIST, headers={**asked, "If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    assert "Content-Encoding" not in again


def test_short_answers_and_other_methods_are_left_alone(client: Client, headers: dict[str, str]) -> None:
    asked = {**headers, "Accept-Encoding": "gzip"}
    assert "Content-Encoding" not in client.get("/api/v1/overview/counts", headers=asked)
    refused = client.post(
        "/api/v1/capacity/what-if", b"x" * 5000, content_type="application/json", headers=asked
    )
    assert "Content-Encoding" not in refused


def test_asynchronous_server_compresses_too(db: None) -> None:
    answer = async_to_sync(AsyncClient().get)("/api/v1/openapi.json", headers={"Accept-Encoding": "gzip"})
    assert answer.status_code == 200
    assert answer["Content-Encoding"] == "gzip"
    assert "paths" in json.loads(gzip.decompress(answer.content))
