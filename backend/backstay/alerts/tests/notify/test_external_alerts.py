"""Alertmanager's webhook becomes incidents: opened once, followed, resolved, limited, never sent back."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from backstay.alerts import external, services
from backstay.alerts.models import Flip, Incident, SiteRule
from backstay.alerts.rules.external.alert import KIND
from backstay.api.tests.world import World, bearer, person
from backstay.core.model.progress import Phase
from backstay.core.roles import Role

LABELS = {"alertname": "InstanceDown", "instance": "grf1:9100", "severity": "critical"}


def alert(name: str = "00c0ffee00c0ffee", status: str = "firing", **more: Any) -> dict[str, Any]:
    return {
        "status": status,
        "labels": LABELS,
        "annotations": {"summary": "grf1 is down"},
        "startsAt": "2026-01-01T00:00:00.000Z",
        "endsAt": "0001-01-01T00:00:00Z",
        "generatorURL": "http://prometheus/graph",
        "fingerprint": name,
        **more,
    }


@pytest.fixture
def post(world: World, client: Client) -> Any:
    headers = bearer(person("alertmanager", Role.OPERATOR), Role.OPERATOR)

    def send(*alerts: dict[str, Any], status: int = 200, site: str = "argonne") -> Any:
        body = {
            "version": "4", "groupKey": "{}:{}", "truncatedAlerts": 0, "status": "firing", "receiver": "b",
            "groupLabels": {}, "commonLabels": {}, "commonAnnotations": {}, "externalURL": "http://am",
            "a_field_of_a_later_version": [1], "alerts": list(alerts),
        }  # fmt: skip
        path = f"/api/v1/alertmanager?site={site}"
        reply = client.post(path, body, content_type="application/json", headers=headers)
        assert reply.status_code == status, reply.content
        return reply.json()

    return send


def rounds(world: World, number: int = 4) -> None:
    for _ in range(number):
        world.now += timedelta(seconds=2)
        services.run_round(world.now)


def test_an_alert_opens_one_incident_of_its_node_and_ends_it(world: World, post: Any) -> None:
    assert post(alert()) == {"opened": 1, "updated": 0, "resolved": 0, "ignored": 0}
    rounds(world)
    incident = Incident.objects.get(rule__kind=KIND)
    assert (incident.phase, incident.severity, incident.subject) == (Phase.OPEN, "critical", "grf1")
    assert incident.node_id == world.node("grf1").pk
    assert incident.title == "grf1 is down"
    assert post(alert()) == {"opened": 0, "updated": 1, "resolved": 0, "ignored": 0}
    assert Incident.objects.filter(rule__kind=KIND).count() == 1
    assert post(alert(status="resolved"))["resolved"] == 1
    incident.refresh_from_db()
    assert incident.phase == Phase.RESOLVED
    assert list(Flip.objects.filter(incident=incident).order_by("pk").values_list("to_phase", flat=True)) == [
        Phase.OPEN,
        Phase.RESOLVED,
    ]
    assert post(alert(status="resolved")) == {"opened": 0, "updated": 0, "resolved": 0, "ignored": 1}
    assert post(alert())["opened"] == 1


def test_an_alert_that_ends_before_it_is_shown_leaves_nothing(world: World, post: Any) -> None:
    post(alert())
    assert Incident.objects.get(rule__kind=KIND).phase == Phase.PENDING
    assert post(alert(status="resolved"))["resolved"] == 1
    assert not Incident.objects.filter(rule__kind=KIND).exists()
    assert not Flip.objects.filter(incident__rule__kind=KIND).exists()


def test_rounds_keep_it_and_end_it_when_it_is_not_repeated(world: World, post: Any) -> None:
    post(alert())
    rounds(world)
    incident = Incident.objects.get(rule__kind=KIND)
    seen = incident.last_seen
    rounds(world, 3)
    incident.refresh_from_db()
    assert (incident.phase, incident.last_seen) == (Phase.OPEN, seen)
    SiteRule.objects.filter(kind=KIND).update(parameters={"expires_s": 60})
    world.now += timedelta(seconds=120)
    rounds(world, 1)
    incident.refresh_from_db()
    assert incident.phase == Phase.RESOLVED


def test_an_incident_that_changes_follows_the_newest_alert(world: World, post: Any) -> None:
    post(alert())
    rounds(world)
    changed = {**LABELS, "severity": "warning"}
    post(alert(labels=changed, annotations={"summary": "grf1 answers slowly"}))
    incident = Incident.objects.get(rule__kind=KIND)
    assert (incident.title, incident.own_severity) == ("grf1 answers slowly", "warning")


def test_what_backstay_sent_is_not_taken_back(post: Any) -> None:
    assert post(alert(labels={**LABELS, "source": "backstay"}))["ignored"] == 1
    assert not Incident.objects.filter(rule__kind=KIND).exists()


def test_a_rule_that_is_off_takes_nothing(world: World, post: Any) -> None:
    SiteRule.objects.filter(kind=KIND).update(enabled=False)
    assert post(alert())["ignored"] == 1


def test_hostile_labels_become_text_and_cost_no_other_alert(world: World, post: Any) -> None:
    evil = "grf1\r\nBcc: x\x1b[2J\x00<script>\u202e"
    got = post(
        alert(
            "11111111aaaaaaaa",
            labels={"alertname": evil, evil: evil, "instance": evil},
            annotations={"summary": evil},
        ),
        alert(),
    )
    assert got["opened"] == 2
    rounds(world)
    for incident in Incident.objects.filter(rule__kind=KIND):
        assert not [
            one for one in incident.title + incident.detail + incident.subject if one in "\r\n\x1b\x00\u202e"
        ]


def test_alerts_above_the_limit_share_one_incident(
    world: World, post: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(external, "MAX_OPEN", 3)
    many = [alert(f"{place:016x}", labels={**LABELS, "n": str(place)}) for place in range(5)]
    assert post(*many) == {"opened": 3, "updated": 0, "resolved": 0, "ignored": 2}
    rounds(world)
    assert Incident.objects.get(fingerprint=external.OVERFLOW).title == (
        "More than 3 alerts of Alertmanager are open: 2 are not shown"
    )
    assert Incident.objects.filter(rule__kind=KIND).count() == 4
    post(*[{**one, "status": "resolved"} for one in many[:3]])
    assert Incident.objects.get(fingerprint=external.OVERFLOW).phase == Phase.RESOLVED


def test_a_thousand_alerts_take_few_queries(
    world: World, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    from backstay.core.alerting.external_alert import external_alert

    alerts = [
        external_alert(
            status="firing", labels={**LABELS, "n": str(place)}, annotations={}, starts_at=world.now,
            fingerprint="", link="", now=world.now,
        )
        for place in range(1_000)
    ]  # fmt: skip
    with django_assert_max_num_queries(40):
        assert external.receive(world.site, alerts, world.now).opened == 1_000
    with django_assert_max_num_queries(40):
        assert external.receive(world.site, alerts, world.now).updated == 1_000


TOO_MANY = b'{"version":"4","alerts":[' + b",".join([b"{}"] * 1_001) + b"]}"
NO_LABELS = b'{"version":"4","alerts":[{"labels":[]}]}'


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{}", b'{"version":"4"}', NO_LABELS, b"\xff", b"[" * 100_000, TOO_MANY]
)
def test_other_bodies_are_refused_with_a_reason(world: World, client: Client, body: bytes) -> None:
    reply = client.post(
        "/api/v1/alertmanager?site=argonne",
        body,
        content_type="application/json",
        headers=bearer(person("am", Role.OPERATOR)),
    )
    assert (reply.status_code, reply.json()["code"]) == (400, "invalid")
    assert "Alertmanager" in reply.json()["message"]


def test_a_viewer_or_another_site_gets_nothing(world: World, client: Client, post: Any) -> None:
    viewer = bearer(person("viewer", Role.VIEWER))
    path = "/api/v1/alertmanager?site=argonne"
    body = {"version": "4", "alerts": [alert()]}
    assert client.post(path, body, content_type="application/json", headers=viewer).status_code == 403
    assert client.post(path, body, content_type="application/json").status_code == 401
    post(alert(), status=404, site="elsewhere")
    assert not Incident.objects.filter(rule__kind=KIND).exists()
