"""`/saved-views`: a person's own views, those shared with the site, and who may change which."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from backstay.accounts import saved_views
from backstay.accounts.models import SavedView
from backstay.api.tests.world import Json, World, bearer, person
from backstay.core.roles import Role

URL = "/api/v1/saved-views"
VIEW: Json = {
    "site": "argonne",
    "list_name": "links",
    "name": "hot",
    "filters": {"state": "critical", "q": "grf1"},
    "sort": "-utilisation",
    "columns": ["name", "state", "fabric*"],
}
ROLES = {"vera": Role.VIEWER, "oscar": Role.OPERATOR, "olga": Role.OPERATOR, "ada": Role.ADMIN}


@pytest.fixture
def clients(db: None) -> dict[str, Client]:
    """A client of each of ROLES."""
    World.make(nodes=1)
    return {name: Client(headers=bearer(person(name, role, "argonne"))) for name, role in ROLES.items()}


def save(client: Client, status: int = 201, **changes: Any) -> Json:
    reply = client.post(URL, {**VIEW, **changes}, content_type="application/json")
    assert reply.status_code == status, reply.content
    answer: Json = reply.json()
    return answer


def replaced(client: Client, ident: int, **changes: Any) -> int:
    return client.put(f"{URL}/{ident}", {**VIEW, **changes}, content_type="application/json").status_code


def names(client: Client, query: str = "") -> list[str]:
    return [view["name"] for view in client.get(f"{URL}?{query}").json()["items"]]


def test_a_view_is_returned_as_saved_to_its_owner_only(clients: dict[str, Client]) -> None:
    saved = save(clients["vera"])
    assert {key: saved[key] for key in VIEW} == VIEW
    assert (saved["owner"], saved["is_own"], saved["can_change"]) == ("vera", True, True)
    assert names(clients["vera"], "list_name=links") == ["hot"]
    assert names(clients["vera"], "list_name=nodes") == []
    for other in ("oscar", "ada"):
        assert names(clients[other]) == []
        assert replaced(clients[other], saved["id"]) == 404
        assert clients[other].delete(f"{URL}/{saved['id']}").status_code == 404


def test_sharing_needs_operator_and_shows_the_view_to_everybody(clients: dict[str, Client]) -> None:
    save(clients["vera"], 403, is_shared=True)
    own = save(clients["vera"])
    assert replaced(clients["vera"], own["id"], is_shared=True) == 403
    save(clients["oscar"], name="team", is_shared=True)
    assert names(clients["vera"], "shared=true") == ["team"]
    assert names(clients["vera"]) == ["hot", "team"]
    assert names(clients["vera"], "q=TEA") == ["team"]


def test_only_the_owner_or_an_administrator_changes_a_shared_view(clients: dict[str, Client]) -> None:
    shared = save(clients["oscar"], is_shared=True)["id"]
    changed = {view["owner"]: view["can_change"] for view in clients["olga"].get(URL).json()["items"]}
    assert changed == {"oscar": False}
    for other in ("vera", "olga"):
        assert replaced(clients[other], shared, is_shared=True) == 403
        assert clients[other].delete(f"{URL}/{shared}").status_code == 403
    assert replaced(clients["oscar"], shared, is_shared=True, name="hotter") == 200
    assert replaced(clients["ada"], shared, is_shared=True, name="hottest") == 200
    assert SavedView.objects.get(pk=shared).owner.username == "oscar"
    assert clients["ada"].delete(f"{URL}/{shared}").status_code == 204
    assert not SavedView.objects.exists()


def test_a_token_of_a_viewer_does_not_share_for_an_operator(clients: dict[str, Client]) -> None:
    operator = person("olaf", Role.OPERATOR, "argonne")
    limited = Client(headers=bearer(operator, Role.VIEWER))
    save(limited)
    save(limited, 403, name="team", is_shared=True)


def test_names_are_unique_for_an_owner_and_among_the_shared(clients: dict[str, Client]) -> None:
    save(clients["oscar"])
    save(clients["oscar"], 409)
    save(clients["oscar"], list_name="nodes", filters={}, columns=[])
    save(clients["olga"], is_shared=True)
    other = save(clients["ada"], name="mine", is_shared=True)
    assert replaced(clients["ada"], other["id"], is_shared=True) == 409


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"list_name": "nothing"}, "list_name"),
        ({"list_name": "links/{id}"}, "list_name"),
        ({"filters": {"speed": "1"}}, "filters.speed"),
        ({"filters": {"site": "elsewhere"}}, "filters.site"),
        ({"filters": {"cursor": "x"}}, "filters.cursor"),
        ({"filters": {"state": "splendid"}}, "filters.state"),
    ],
)
def test_what_the_list_would_refuse_is_not_saved(
    clients: dict[str, Client], change: Json, field: str
) -> None:
    assert field in save(clients["vera"], 422, **change)["fields"]


@pytest.mark.parametrize(
    "change",
    [
        {"name": " "},
        {"columns": ["a b"]},
        {"columns": ["x"] * 61},
        {"sort": "name;drop"},
        {"filters": {"q": "x" * 301}},
        {"filters": {f"f{number}": "" for number in range(21)}},
        {"owner": "ada"},
    ],
)
def test_a_malformed_view_is_refused(clients: dict[str, Client], change: Json) -> None:
    reply = clients["vera"].post(URL, {**VIEW, **change}, content_type="application/json")
    assert reply.status_code in {400, 422}
    assert not SavedView.objects.exists()


def test_a_view_keeps_its_list_and_an_unknown_one_is_not_found(clients: dict[str, Client]) -> None:
    saved = save(clients["vera"])["id"]
    assert replaced(clients["vera"], saved, list_name="nodes", filters={}) == 400
    assert replaced(clients["vera"], saved + 1) == 404


def test_a_person_may_keep_a_limited_number(
    clients: dict[str, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saved_views, "MOST_VIEWS", 2)
    save(clients["vera"])
    save(clients["vera"], name="second")
    assert "2 saved views" in save(clients["vera"], 422, name="third")["message"]
    save(clients["oscar"], name="third")


def test_a_view_of_another_site_is_not_found(clients: dict[str, Client]) -> None:
    stranger = Client(headers=bearer(person("stranger", Role.ADMIN, "elsewhere")))
    shared = save(clients["oscar"], is_shared=True)["id"]
    assert stranger.get(f"{URL}?site=argonne").status_code == 404
    assert stranger.delete(f"{URL}/{shared}").status_code == 404


def test_every_list_of_a_page_can_have_views(clients: dict[str, Client]) -> None:
    for name in ("incidents", "paths/groups", "nodes/{id}/metrics", "capacity/n-1", "circuits/history"):
        save(clients["vera"], list_name=name, name=name, filters={}, columns=[])
