"""Write operations of the public API, and idempotency keys."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, connections
from django.test import Client
from django.utils import timezone

from backstay.accounts.models import Agent, EnrolmentToken, RoleGrant
from backstay.accounts.services import create_api_token
from backstay.accounts.tokens import digest
from backstay.alerts.models import Incident
from backstay.api.models import KeptAnswer
from backstay.api.tests.world import World, bearer, person, site_file
from backstay.core.roles import Role
from backstay.inventory.models import Fabric, Node, Site
from backstay.policy.models import ArpPolicy
from backstay.rollout.models import InputEdit
from backstay.telemetry.models import Event


@pytest.fixture
def world(db: None) -> World:
    return World.make()


@pytest.fixture
def post(world: World, client: Client) -> Any:
    headers = bearer(person("admin", Role.ADMIN))

    def send(path: str, body: Any, status: int, key: str | None = None) -> Any:
        more = {} if key is None else {"idempotency-key": key}
        reply = client.post(
            f"/api/v1/{path}", body, content_type="application/json", headers={**headers, **more}
        )
        assert reply.status_code == status, reply.content
        return reply.json()

    return send


def test_edit_of_a_policy_during_its_deletion_makes_a_conflict(world: World, client: Client) -> None:
    admin = person("admin", Role.ADMIN)
    fabric = Fabric.objects.get(site=world.site, name="hippi")
    policy = ArpPolicy.objects.create(site=world.site, fabric=fabric)

    def edited(execute: Any, sql: str, *rest: Any) -> Any:
        """Just before the policy's own row is deleted, another request commits an edit of it."""
        if sql.startswith('DELETE FROM "policy_arppolicy"'):
            InputEdit.objects.create(site=world.site, arp_policy=policy, person=admin, at=world.now)
        return execute(sql, *rest)

    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # As at the commit, which this test does not reach.
    with connection.execute_wrapper(edited):
        reply = client.delete(f"/api/v1/arp-policies/{policy.pk}", headers=bearer(admin))
    assert (reply.status_code, reply.json()["code"]) == (409, "conflict"), reply.content


def test_enrolment_token_is_shown_once_and_stored_as_a_digest(post: Any) -> None:
    answer = post("enrolment-tokens", {"site": "argonne", "node": "grf1"}, 201)
    row = EnrolmentToken.objects.get(digest=digest(answer["token"]))
    assert (row.site, row.node, answer["node"]) == ("argonne", "grf1", "grf1")
    assert (row.expires_at - timezone.now()).total_seconds() == pytest.approx(900, abs=30)


def test_token_for_an_unknown_node_is_refused(post: Any) -> None:
    assert "sp99" in post("enrolment-tokens", {"site": "argonne", "node": "sp99"}, 404)["message"]
    post("enrolment-tokens", {"site": "nowhere", "node": "sp01"}, 404)


def test_repeated_request_with_a_key_acts_once_with_equal_responses(post: Any) -> None:
    body = {"site": "argonne", "node": "sp01"}
    first = post("enrolment-tokens", body, 201, key="one")
    assert post("enrolment-tokens", body, 201, key="one") == first
    assert EnrolmentToken.objects.count() == 1
    assert post("enrolment-tokens", body, 201, key="two") != first
    assert first["token"].encode() not in bytes(KeptAnswer.objects.get(key="one").body or b"")


def test_key_of_another_request_is_refused(post: Any) -> None:
    post("enrolment-tokens", {"site": "argonne", "node": "sp01"}, 201, key="one")
    assert post("enrolment-tokens", {"site": "argonne", "node": "sp02"}, 422, key="one")["code"] == "refused"
    post("enrolment-tokens", {"site": "argonne", "node": "sp01"}, 400, key="x" * 201)


def test_failed_request_can_be_retried_with_its_key(post: Any, world: World) -> None:
    post("enrolment-tokens", {"site": "argonne", "node": "new1"}, 404, key="one")
    Node.objects.create(site=world.site, name="new1", kind="host", role="compute")
    post("enrolment-tokens", {"site": "argonne", "node": "new1"}, 201, key="one")


def test_key_of_another_role_gets_no_stored_response(client: Client, world: World) -> None:
    """An answer to an administrator's token is none to a viewer's token of the same user."""
    ann = person("ann", Role.ADMIN)

    def post_as(role: Role) -> Any:
        headers = {
            "authorization": f"Bearer {create_api_token(ann, role.value, role)}",
            "idempotency-key": "one",
        }
        body = {"site": "argonne", "node": "sp01"}
        return client.post("/api/v1/enrolment-tokens", body, content_type="application/json", headers=headers)

    assert post_as(Role.ADMIN).status_code == 201
    assert post_as(Role.VIEWER).status_code == 403
    assert post_as(Role.ADMIN).status_code == 201
    RoleGrant.objects.filter(user=ann).update(role=Role.VIEWER)
    assert post_as(Role.ADMIN).status_code == 403
    assert EnrolmentToken.objects.count() == 1


def test_effect_and_response_are_stored_together_or_not_at_all(
    post: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when the process dies after the effect: the repeated request must not find the effect alone."""

    def die(_: object) -> bytes:
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr("backstay.api.http.idempotency.secrets.encrypt", die)
        post("enrolment-tokens", {"site": "argonne", "node": "sp01"}, 500, key="one")
    assert not EnrolmentToken.objects.exists()
    post("enrolment-tokens", {"site": "argonne", "node": "sp01"}, 201, key="one")


@pytest.mark.django_db(transaction=True)
def test_one_of_many_concurrent_requests_with_one_key_acts() -> None:
    World.make()
    headers = {**bearer(person("admin", Role.ADMIN)), "idempotency-key": "race"}
    start, replies = threading.Barrier(6), []

    def send() -> None:
        try:
            start.wait(10)
            body = {"site": "argonne", "node": "sp01"}
            reply = Client().post(
                "/api/v1/enrolment-tokens", body, content_type="application/json", headers=headers
            )
            replies.append(reply.status_code)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=send) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert set(replies) <= {201, 409}
    assert EnrolmentToken.objects.count() == 1


def test_revoked_agent_is_shown_as_revoked(post: Any, client: Client) -> None:
    agent = Agent.objects.get(site="argonne", node="sp01")
    answer = post(f"agents/{agent.pk}/revoke", {}, 200)
    assert (answer["revoked"], answer["state"], answer["state_text"]) == (True, "disabled", "revoked")
    agent.refresh_from_db()
    assert agent.revoked_at is not None
    post("agents/not-a-uuid/revoke", {}, 404)


def test_resolved_incident_cannot_be_acknowledged(post: Any, world: World) -> None:
    from backstay.alerts import services

    world.fail_over()
    services.run_round(world.now)
    incident = Incident.objects.get(rule__kind="gateway_failed_over")
    taken = post(f"incidents/{incident.pk}/acknowledge", {"comment": "on it"}, 200)
    assert (taken["phase"], taken["acknowledged_by"], taken["comment"]) == ("acknowledged", "admin", "on it")
    assert post(f"incidents/{incident.pk}/acknowledge", {"comment": "me too"}, 409)["code"] == "conflict"
    assert post(f"incidents/{incident.pk}/acknowledge", {"comment": "x" * 2001}, 400)["fields"]


def test_repeated_site_file_import_changes_nothing(post: Any, world: World) -> None:
    answer = post("site-files", {"text": site_file(4)}, 200)
    assert (answer["site"], answer["removed"]) == ("argonne", 0)
    assert answer["created"] > 0
    assert Node.objects.filter(site=world.site, name="sp04").exists()
    assert Event.objects.filter(kind="site.imported").count() == 2
    assert Event.objects.latest("pk").message.startswith("argonne was imported: ")
    again = post("site-files", {"text": site_file(4)}, 200)
    assert (again["created"], again["changed"], again["removed"]) == (0, 0, 0)
    assert Event.objects.filter(kind="site.imported").count() == 2


def test_dry_run_reports_changes_without_applying_them(post: Any, world: World) -> None:
    answer = post("site-files", {"text": site_file(5), "dry_run": True}, 200)
    assert answer["created"] > 0
    assert not Node.objects.filter(name="sp05").exists()
    assert Site.objects.get(pk=world.site.pk).version == world.site.version


def test_invalid_site_file_reports_all_errors(post: Any) -> None:
    text = "site: other\nfabrics:\n  - {name: lan, kind: teapot, media_rate: 10 GB/s}\n"
    answer = post("site-files", {"text": text, "name": "other.yaml"}, 422)
    assert answer["code"] == "site_file"
    assert {(error["file"], error["line"]) for error in answer["errors"]} == {("other.yaml", 3)}
    assert len(answer["errors"]) == 2
    assert not Site.objects.filter(name="other").exists()


def test_body_that_is_not_json_is_refused(client: Client, world: World) -> None:
    headers = bearer(person("admin", Role.ADMIN))
    reply = client.post(
        "/api/v1/enrolment-tokens", "not json", content_type="application/json", headers=headers
    )
    assert (reply.status_code, reply.json()["code"]) == (400, "invalid")


def test_changes_are_published_on_commit(
    post: Any, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    with django_capture_on_commit_callbacks() as callbacks:
        post("site-files", {"text": site_file(4)}, 200)
    assert callbacks
