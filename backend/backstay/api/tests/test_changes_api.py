"""Changes through the public API: what each person may do, and what everybody reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, DjangoDbBlocker

from backstay.accounts.models import Role
from backstay.api.tests.world import World, bearer, kept, person
from backstay.inventory.models import Site
from backstay.rollout.models import Change
from backstay.rollout.tests.cluster import TWO, Cluster

WHO = ("nobody", "stranger", "viewer", "operator", "approver", "admin")
BODIES: dict[str, dict[str, Any]] = {"roll-back": {"reason": "no"}, "approve": {"accept_warnings": True}}
OF_A_PLAN = {"apply", "approve"}
"""Actions that name the plan they mean."""


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Cluster]:
    with kept(django_db_blocker):
        cluster = Cluster.make()
        World.make(name="elsewhere")
        yield cluster


@pytest.fixture
def cluster(made: Cluster, db: None) -> Cluster:
    return made.copy()


@pytest.fixture
def people(cluster: Cluster) -> dict[str, dict[str, str]]:
    """Headers of each of WHO."""
    held = {name: Role(name) for name in WHO[2:]}
    here = {name: bearer(person(name, role, "argonne")) for name, role in held.items()}
    return {"nobody": {}, "stranger": bearer(person("stranger", Role.ADMIN, "elsewhere")), **here}


class Api:
    """Calls as one person."""

    def __init__(self, client: Client, headers: dict[str, str]) -> None:
        self._client = client
        self._headers = headers

    def get(self, path: str, status: int = 200) -> Any:
        reply = self._client.get(f"/api/v1/{path}", headers=self._headers)
        assert reply.status_code == status, reply.content
        return reply.json()

    def post(self, path: str, body: Any = None, status: int = 200, key: str | None = None) -> Any:
        more = {} if key is None else {"idempotency-key": key}
        reply = self._client.post(
            f"/api/v1/{path}",
            {} if body is None else body,
            content_type="application/json",
            headers={**self._headers, **more},
        )
        assert reply.status_code == status, reply.content
        return reply.json()


def propose(api: Api, cluster: Cluster, **more: Any) -> Any:
    return api.post("changes", {"site": "argonne", "policies": [cluster.policy.pk], **more}, 201)


def stand(cluster: Cluster, state: str) -> Change:
    """A change in this state, each with all that the action needs to be good."""
    if state == "planned":
        return cluster.propose()
    change = cluster.approved()
    if state == "approved":
        return change
    change = cluster.report_phase(cluster.begin(change), "prepared", *cluster.names)
    return (
        cluster.report_phase(change, "applied", *cluster.waves(change)[0])
        if state == "confirming"
        else change
    )


MATRIX = {
    ("plan", "planned"): (401, 404, 403, 200, 200, 200),
    ("approve", "planned"): (401, 404, 403, 403, 200, 200),
    ("apply", "approved"): (401, 404, 403, 200, 200, 200),
    ("confirm", "confirming"): (401, 404, 403, 200, 200, 200),
    ("roll-back", "rolling"): (401, 404, 403, 200, 200, 200),
    ("discard", "approved"): (401, 404, 403, 200, 200, 200),
}
"""(action, state) -> status for each of WHO, each of whom finds a change of their own in that state."""


@pytest.mark.parametrize(("action", "state"), MATRIX)
def test_who_may_do_what(
    client: Client, cluster: Cluster, people: dict[str, dict[str, str]], action: str, state: str
) -> None:
    for who, status in zip(WHO, MATRIX[action, state], strict=True):
        change = stand(cluster, state)
        body = dict(BODIES.get(action, {}))
        if action in OF_A_PLAN:
            body["digest"] = cluster.plan(change).digest
        Api(client, people[who]).post(f"changes/{change.pk}/{action}", body, status)
        Change.objects.filter(pk=change.pk).delete()


def test_the_way_from_a_proposal_to_the_end(
    client: Client, cluster: Cluster, people: dict[str, dict[str, str]]
) -> None:
    operator, approver = Api(client, people["operator"]), Api(client, people["approver"])
    told = propose(operator, cluster, reason="grf1 first", ticket="ANL-7")
    assert (told["state"], told["state_text"], told["name"]) == (
        "planned",
        "waits for approval",
        f"#{told['id']}",
    )
    assert told["title"] == "Deploy sp-default"
    assert (told["author"], told["reason"], told["ticket"]) == ("operator", "grf1 first", "ANL-7")
    assert told["may"] == ["plan", "discard"]
    assert "approver" in told["may_not"]["approve"]
    assert told["may_not"]["apply"] == "The change is not approved yet."
    assert [member["state"] for member in told["members"]] == ["pending"] * 4
    assert {member["engine"] for member in told["members"]} == {"kernel"}
    plan = told["plan"]
    assert (plan["stale"], plan["blocked"]) == (False, False)

    path = f"changes/{told['id']}"
    approval = {"digest": plan["digest"], "comment": "go", "accept_warnings": True}
    told = approver.post(f"{path}/approve", approval)
    assert told["approvals"][0] == {**told["approvals"][0], "person": "approver", "comment": "go"}
    assert told["state_text"] == "approved by approver; waits to be applied"
    told = operator.post(f"{path}/apply", {"digest": plan["digest"], "timeout_s": 60})
    assert (told["state"], told["state_text"]) == ("rolling", "0 of 4 nodes prepared")
    change = Change.objects.get(pk=told["id"])
    change = cluster.report_phase(change, "prepared", *cluster.names)
    for number, wave in enumerate(cluster.waves(change)):
        cluster.world.now = timezone.now()
        change = cluster.report_phase(change, "applied", *wave)
        told = operator.get(path)
        assert (told["state"], told["wave"], told["confirm_by"] is not None) == ("confirming", number, True)
        assert told["may"] == ["confirm", "roll_back"]
        operator.post(f"{path}/confirm", {"wave": number})
        cluster.world.now = timezone.now()
        change = cluster.report_phase(change, "confirmed", *wave, later_s=0)
    told = operator.get(path)
    assert (told["state"], told["state_text"], told["confirmed"]) == ("done", "4 nodes confirmed", 4)
    assert told["history"][0]["person"] == "operator"
    assert told["members"][0]["evidence"] == [
        {"what": "10.9.0.1", "ok": True, "found": "answers", "stage": ""}
    ]
    events = operator.get("events?site=argonne")["items"]
    (done,) = [event for event in events if event["kind"] == "change.done"]
    assert done["url"] == f"/changes/{told['id']}"


def test_the_author_is_told_why_not_where_two_people_are_wanted(
    client: Client, cluster: Cluster, people: dict[str, dict[str, str]]
) -> None:
    Site.objects.filter(pk=cluster.world.site.pk).update(second_person=True)
    approver = Api(client, people["approver"])
    told = propose(approver, cluster)
    assert "another approver" in told["may_not"]["approve"]
    body = {"digest": told["plan"]["digest"], "accept_warnings": True}
    refused = approver.post(f"changes/{told['id']}/approve", body, 422)
    assert refused["message"] == told["may_not"]["approve"]
    assert "approve" in Api(client, people["admin"]).get(f"changes/{told['id']}")["may"]


def test_a_stale_plan_says_why_and_takes_the_button_away(
    client: Client, cluster: Cluster, people: dict[str, dict[str, str]]
) -> None:
    change = cluster.approved()
    cluster.report_routing("sp02", TWO)
    told = Api(client, people["operator"]).get(f"changes/{change.pk}")
    assert told["plan"]["stale"] is True
    assert told["plan"]["stale_because"].startswith(
        "Changed since planning: the running or saved state of sp02"
    )
    assert "apply" not in told["may"]
    assert told["may_not"]["apply"].startswith("The plan is stale.")
    assert told["state_text"] == "the plan is stale"


def test_a_plan_sent_twice_with_a_key_begins_once(
    client: Client, cluster: Cluster, people: dict[str, dict[str, str]]
) -> None:
    change = cluster.approved()
    operator = Api(client, people["operator"])
    body = {"digest": cluster.plan(change).digest}
    first = operator.post(f"changes/{change.pk}/apply", body, key="begin")
    assert operator.post(f"changes/{change.pk}/apply", body, key="begin") == first
    operator.post(f"changes/{change.pk}/apply", body, 409)
    assert cluster.fresh(change).revision == 1


def test_waves_are_as_small_as_was_asked_for(
    client: Client, cluster: Cluster, people: dict[str, dict[str, str]]
) -> None:
    operator = Api(client, people["operator"])
    assert [len(wave) for wave in propose(operator, cluster)["plan"]["waves"]] == [1, 1, 2]
    told = propose(operator, cluster, wave_size=1)
    assert [len(wave) for wave in told["plan"]["waves"]] == [1, 1, 1, 1]
    again = operator.post(f"changes/{told['id']}/plan")
    assert again["waves"] == 4
    operator.post("changes", {"site": "argonne", "policies": [cluster.policy.pk], "wave_size": 0}, 400)


def test_mistakes_in_a_proposal_name_the_field(
    client: Client, cluster: Cluster, people: dict[str, dict[str, str]]
) -> None:
    operator = Api(client, people["operator"])
    told = operator.post("changes", {"site": "argonne", "policies": [999]}, 400)
    assert told["fields"] == {"policies": "argonne has no policy 999"}
    assert Change.objects.count() == 0
    operator.post("changes", {"site": "elsewhere", "policies": [1]}, 404)
    Api(client, people["viewer"]).post("changes", {"site": "argonne", "policies": [999]}, 403)


def test_a_viewer_reads_everything_and_looks_for_no_buttons(
    client: Client, cluster: Cluster, people: dict[str, dict[str, str]]
) -> None:
    change = cluster.propose()
    told = Api(client, people["viewer"]).get(f"changes/{change.pk}")
    assert (told["may"], told["may_not"]) == ([], {})
    assert told["plan"]["digest"] == cluster.plan(change).digest


def test_the_list_is_filtered_and_costs_the_same_for_many(
    client: Client,
    cluster: Cluster,
    people: dict[str, dict[str, str]],
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    operator = Api(client, people["operator"])
    first, second = cluster.propose(), cluster.approved(nodes=["sp01"])
    third = cluster.propose("adopt", ["sp02"])
    items = operator.get("changes?site=argonne")["items"]
    assert [item["id"] for item in items] == [third.pk, second.pk, first.pk]
    assert [item["waves"] for item in items[1:]] == [1, 3]
    assert [item["id"] for item in operator.get("changes?state=approved")["items"]] == [second.pk]
    assert len(operator.get("changes?state=current&q=sp-def")["items"]) == 2
    assert operator.get("changes?policy=router-to-sp")["items"] == []
    for _ in range(5):
        cluster.propose(nodes=["sp03"])
    with django_assert_max_num_queries(35):
        assert len(operator.get("changes?site=argonne")["items"]) == 8


def test_the_first_page_says_what_waits_to_be_confirmed(
    client: Client, cluster: Cluster, people: dict[str, dict[str, str]]
) -> None:
    operator = Api(client, people["operator"])

    def waiting() -> Any:
        (answer,) = [
            item
            for item in operator.get("overview?site=argonne")["tiles"]
            if item["kind"] == "awaiting_confirmation"
        ]
        return answer

    assert (waiting()["total"], waiting()["url"]) == (0, "/changes?state=current")
    planned, change = cluster.propose(), stand(cluster, "confirming")
    first, second = waiting()["items"]
    assert first["title"] == f"Change #{change.pk}: Deploy sp-default"
    assert first["detail"].startswith("Wave 1 waits for confirmation, ")
    assert (first["state"], first["confirm_by"] is not None) == ("warning", True)
    assert (second["url"], second["confirm_by"]) == (f"/changes/{planned.pk}", None)
    cluster.world.now = timezone.now()
    cluster.world.describe()
    headline = operator.get("overview?site=argonne")["headline"]
    assert "1 change waits for confirmation." in headline
