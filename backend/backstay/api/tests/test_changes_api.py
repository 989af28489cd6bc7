"""Changes over the public API: permissions and responses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, DjangoDbBlocker

from backstay.api.tests.world import World, bearer, kept, person
from backstay.core.roles import Role
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
    """Calls as one user."""

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
    """A change in this state, with everything that the action needs."""
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
def test_permissions_by_role_and_state(
    client: Client, cluster: Cluster, people: dict[str, dict[str, str]], action: str, state: str
) -> None:
    for who, status in zip(WHO, MATRIX[action, state], strict=True):
        change = stand(cluster, state)
        body = dict(BODIES.get(action, {}))
        if action in OF_A_PLAN:
            body["digest"] = cluster.plan(change).digest
        Api(client, people[who]).post(f"changes/{change.pk}/{action}", body, status)
        Change.objects.filter(pk=change.pk).delete()


def test_change_from_proposal_to_completion(
    client: Client, cluster: Cluster, people: dict[str, dict[str, str]]
) -> None:
    operator, approver = Api(client, people["operator"]), Api(client, people["approver"])
    answer = propose(operator, cluster, reason="grf1 first", ticket="ANL-7")
    assert (answer["state"], answer["state_text"], answer["name"]) == (
        "planned",
        "awaiting approval",
        f"#{answer['id']}",
    )
    assert answer["title"] == "Deploy sp-default"
    assert (answer["author"], answer["reason"], answer["ticket"]) == ("operator", "grf1 first", "ANL-7")
    assert answer["may"] == ["plan", "discard"]
    assert "approver" in answer["may_not"]["approve"]
    assert answer["may_not"]["apply"] == "The change is not approved yet."
    assert [member["state"] for member in answer["members"]] == ["pending"] * 4
    assert {member["engine"] for member in answer["members"]} == {"kernel"}
    plan = answer["plan"]
    assert (plan["stale"], plan["blocked"]) == (False, False)

    path = f"changes/{answer['id']}"
    approval = {"digest": plan["digest"], "comment": "go", "accept_warnings": True}
    answer = approver.post(f"{path}/approve", approval)
    assert answer["approvals"][0] == {**answer["approvals"][0], "person": "approver", "comment": "go"}
    assert answer["state_text"] == "approved by approver; not yet applied"
    answer = operator.post(f"{path}/apply", {"digest": plan["digest"], "timeout_s": 60})
    assert (answer["state"], answer["state_text"]) == ("rolling", "0 of 4 nodes prepared")
    change = Change.objects.get(pk=answer["id"])
    change = cluster.report_phase(change, "prepared", *cluster.names)
    for number, wave in enumerate(cluster.waves(change)):
        cluster.world.now = timezone.now()
        change = cluster.report_phase(change, "applied", *wave)
        answer = operator.get(path)
        assert (answer["state"], answer["wave"], answer["confirm_by"] is not None) == (
            "confirming",
            number,
            True,
        )
        assert answer["may"] == ["confirm", "roll_back"]
        operator.post(f"{path}/confirm", {"wave": number})
        cluster.world.now = timezone.now()
        change = cluster.report_phase(change, "confirmed", *wave, later_s=0)
    answer = operator.get(path)
    assert (answer["state"], answer["state_text"], answer["confirmed"]) == ("done", "4 nodes confirmed", 4)
    assert answer["history"][0]["person"] == "operator"
    first = answer["members"][0]
    assert (first["checks"], first["failed"]) == ([{"stage": "", "good": 1, "total": 1}], [])
    assert {"evidence", "before", "after"}.isdisjoint(first)
    whole = operator.get(f"{path}/nodes/{first['node_id']}")
    assert whole["evidence"] == [{"what": "10.9.0.1", "ok": True, "found": "answers", "stage": ""}]
    assert {name: whole[name] for name in first} == first
    assert operator.get(f"{path}?plan=false") == {**operator.get(path), "plan": None}
    events = operator.get("events?site=argonne")["items"]
    (done,) = [event for event in events if event["kind"] == "change.done"]
    assert done["url"] == f"/changes/{answer['id']}"


def test_author_gets_the_reason_if_a_second_person_is_required(
    client: Client, cluster: Cluster, people: dict[str, dict[str, str]]
) -> None:
    Site.objects.filter(pk=cluster.world.site.pk).update(second_person=True)
    approver = Api(client, people["approver"])
    answer = propose(approver, cluster)
    assert "another approver" in answer["may_not"]["approve"]
    body = {"digest": answer["plan"]["digest"], "accept_warnings": True}
    refused = approver.post(f"changes/{answer['id']}/approve", body, 422)
    assert refused["message"] == answer["may_not"]["approve"]
    assert "approve" in Api(client, people["admin"]).get(f"changes/{answer['id']}")["may"]


def test_stale_plan_has_a_reason_and_no_apply_action(
    client: Client, cluster: Cluster, people: dict[str, dict[str, str]]
) -> None:
    change = cluster.approved()
    cluster.report_routing("sp02", TWO)
    answer = Api(client, people["operator"]).get(f"changes/{change.pk}")
    assert answer["plan"]["stale"] is True
    assert answer["plan"]["stale_because"].startswith(
        "Changed since planning: the running or saved state of sp02"
    )
    assert "apply" not in answer["may"]
    assert answer["may_not"]["apply"].startswith("The plan is stale.")
    assert answer["state_text"] == "the plan is stale"


def test_plan_sent_twice_with_one_key_is_created_once(
    client: Client, cluster: Cluster, people: dict[str, dict[str, str]]
) -> None:
    change = cluster.approved()
    operator = Api(client, people["operator"])
    body = {"digest": cluster.plan(change).digest}
    first = operator.post(f"changes/{change.pk}/apply", body, key="begin")
    assert operator.post(f"changes/{change.pk}/apply", body, key="begin") == first
    operator.post(f"changes/{change.pk}/apply", body, 409)
    assert cluster.fresh(change).revision == 1


def test_waves_have_the_requested_size(
    client: Client, cluster: Cluster, people: dict[str, dict[str, str]]
) -> None:
    operator = Api(client, people["operator"])
    assert [len(wave) for wave in propose(operator, cluster)["plan"]["waves"]] == [1, 1, 2]
    answer = propose(operator, cluster, wave_size=1)
    assert [len(wave) for wave in answer["plan"]["waves"]] == [1, 1, 1, 1]
    again = operator.post(f"changes/{answer['id']}/plan")
    assert again["waves"] == 4
    operator.post("changes", {"site": "argonne", "policies": [cluster.policy.pk], "wave_size": 0}, 400)


def test_errors_in_a_proposal_name_the_field(
    client: Client, cluster: Cluster, people: dict[str, dict[str, str]]
) -> None:
    operator = Api(client, people["operator"])
    answer = operator.post("changes", {"site": "argonne", "policies": [999]}, 400)
    assert answer["fields"] == {"policies": "argonne has no policy 999"}
    assert Change.objects.count() == 0
    operator.post("changes", {"site": "elsewhere", "policies": [1]}, 404)
    Api(client, people["viewer"]).post("changes", {"site": "argonne", "policies": [999]}, 403)


def test_viewer_reads_everything_and_has_no_actions(
    client: Client, cluster: Cluster, people: dict[str, dict[str, str]]
) -> None:
    change = cluster.propose()
    answer = Api(client, people["viewer"]).get(f"changes/{change.pk}")
    assert (answer["may"], answer["may_not"]) == ([], {})
    assert answer["plan"]["digest"] == cluster.plan(change).digest


def test_list_is_filtered_with_a_constant_number_of_queries(
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


def test_sites_count_their_changes_that_await_confirmation(
    client: Client, cluster: Cluster, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    api = Api(client, bearer(person("everywhere", Role.VIEWER)))
    other = Site.objects.get(name="elsewhere")
    here, now = cluster.world.site, timezone.now()
    for site, state in ((here, "confirming"), (here, "done"), (other, "rolling")):
        Change.objects.create(site=site, kind="policies", state=state, since=now, created_at=now)
    with django_assert_max_num_queries(6):
        known = {site["name"]: site["confirming"] for site in api.get("sites")["items"]}
    assert known == {"argonne": 1, "elsewhere": 0}


def test_overview_lists_changes_awaiting_confirmation(
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
    assert first["detail"].startswith("Wave 1 awaits confirmation, ")
    assert (first["state"], first["confirm_by"] is not None) == ("warning", True)
    assert (second["url"], second["confirm_by"]) == (f"/changes/{planned.pk}", None)
    assert (second["state"], second["detail"]) == ("warning", "Awaiting approval")
    assert (first["refusal"], second["refusal"]) == (
        "",
        "This needs the role approver at the site; yours is operator. Ask an administrator.",
    )
    assert operator.get("overview/counts?site=argonne")["awaiting"] == 2
    cluster.world.now = timezone.now()
    cluster.world.describe()
    headline = operator.get("overview?site=argonne")["headline"]
    assert "2 changes await action: 1 confirmation and 1 approval." in headline


def test_stale_plan_awaits_nobody_and_is_marked_in_the_list(
    client: Client, cluster: Cluster, people: dict[str, dict[str, str]]
) -> None:
    approver = Api(client, people["approver"])
    change = cluster.propose()
    assert approver.get("overview?site=argonne")["awaiting"] == 1
    policy = cluster.policy
    policy.note, policy.target = "moved", "10.9.0.2"
    policy.save()
    Site.objects.filter(pk=cluster.world.site.pk).update(version=F("version") + 1)
    overview = approver.get("overview?site=argonne")
    (tile,) = [item for item in overview["tiles"] if item["kind"] == "awaiting_confirmation"]
    assert (tile["total"], tile["items"], overview["awaiting"]) == (0, [], 0)
    assert "await" not in overview["headline"]
    assert approver.get("overview/counts?site=argonne")["awaiting"] == 0
    (listed,) = approver.get("changes?site=argonne&state=current")["items"]
    assert (listed["id"], listed["stale"], listed["state_text"]) == (change.pk, True, "the plan is stale")
