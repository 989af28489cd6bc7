"""Access: every operation of the document, for every role from anonymous to administrator.

The table below has a row for each operation; an operation without a row fails the first test.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoDbBlocker

from backstay.accounts.models import Agent, ApiToken, SavedView, User
from backstay.alerts.models import (
    CalendarFeed,
    Channel,
    Delivery,
    Incident,
    MaintenanceWindow,
    NotificationRoute,
    Schedule,
    Wallboard,
)
from backstay.alerts.rule_models import MetricLimit, RuleOverride
from backstay.alerts.wallboards import services
from backstay.api.http.auth import WALLBOARD_OPERATIONS
from backstay.api.public import api
from backstay.api.tests.full_site import CALENDAR_TOKEN, OWN, full_site
from backstay.api.tests.world import World, bearer, kept, person, site_file
from backstay.core.roles import Role
from backstay.inventory.models import Circuit, Fabric, Port
from backstay.policy.capacity_models import CapacityFailure
from backstay.policy.models import ArpPolicy, FailoverPolicy, Path
from backstay.rollout.models import Change, Drill
from backstay.telemetry.export_models import Export
from backstay.telemetry.forecast_models import LinkForecast
from backstay.telemetry.recording_models import DeviceRecording
from backstay.throughput.models import TestPlan, TestRun

pytestmark = pytest.mark.slow

WHO = ("nobody", "stranger", "viewer", "operator", "admin")
"""stranger: an administrator of another site; the others hold their role at this one."""
READ = (401, 404, 200, 200, 200)
READ_ALWAYS = (401, 200, 200, 200, 200)

TABLE: dict[str, tuple[int, ...]] = {
    "get_session": READ_ALWAYS,
    "sign_in": (401, 401, 401, 401, 401),
    "sign_out": (401, 204, 204, 204, 204),
    "list_sites": READ_ALWAYS,
    "search": READ,
    "get_overview": READ,
    "get_overview_counts": READ,
    "get_topology": READ,
    "get_capacity_advice": READ,
    "get_differences": READ,
    "get_past_overview": READ,
    "get_past_topology": READ,
    "list_fabrics": READ,
    "get_fabric": READ,
    "get_fabric_history": READ,
    "list_device_metrics": READ,
    "get_device_metric_history": READ,
    "list_metrics": READ_ALWAYS,
    "get_infiniband_health": READ,
    "get_hippi_report": READ,
    "get_hippi_model": READ,
    "list_nodes": READ,
    "list_node_collectors": READ,
    "get_node": READ,
    "manage_node_again": (401, 404, 403, 409, 409),
    "list_holds": READ,
    "hold_node": (401, 404, 403, 422, 422),
    "list_recordings": READ,
    "record_device": (401, 404, 403, 422, 422),
    "get_recording": READ,
    "download_recording": (401, 404, 409, 409, 409),
    "end_hold": (401, 404, 403, 409, 409),
    "list_ports": READ,
    "get_port": READ,
    "get_port_history": READ,
    "get_port_trends": READ,
    "list_links": READ,
    "get_link": READ,
    "get_link_history": READ,
    "list_exports": READ,
    "create_export": (401, 404, 503, 503, 503),
    "get_export": READ,
    "download_export": (401, 404, 409, 409, 409),
    "delete_export": (401, 404, 403, 204, 404),
    "get_storage": READ,
    "list_paths": READ,
    "list_path_groups": READ,
    "get_path": READ,
    "get_path_timeline": READ,
    "list_path_timelines": READ,
    "get_routes_between": READ,
    "list_capacity_failures": READ,
    "get_capacity_failure": READ,
    "get_capacity_what_if": READ,
    "list_forecasts": READ,
    "get_forecast": READ,
    "list_prediction_checks": READ,
    "move_path": (401, 404, 403, 422, 422),
    "return_path": (401, 404, 403, 409, 409),
    "list_failover_policies": READ,
    "get_failover_policy": READ,
    "list_policy_outages": READ,
    "create_failover_policy": (401, 404, 403, 201, 400),
    "update_failover_policy": (401, 404, 403, 200, 200),
    "delete_failover_policy": (401, 404, 403, 204, 404),
    "preview_group": (401, 404, 200, 200, 200),
    "preview_stripe": (401, 404, 200, 200, 200),
    "list_arp_policies": READ,
    "list_arp_fabrics": READ,
    "get_arp_rule": READ,
    "list_arp_settings": READ_ALWAYS,
    "get_arp_policy": READ,
    "create_arp_policy": (401, 404, 403, 201, 409),
    "update_arp_policy": (401, 404, 403, 200, 200),
    "delete_arp_policy": (401, 404, 403, 204, 404),
    "list_extension_nodes": READ,
    "get_extension_node": READ,
    "check_extension_node": (401, 404, 200, 200, 200),
    "list_changes": READ,
    "get_change": READ,
    "get_change_node": (401, 404, 404, 404, 404),
    "list_change_nodes": READ,
    "get_change_plan": (401, 404, 404, 404, 404),
    "create_change": (401, 404, 403, 201, 201),
    "plan_change": (401, 404, 403, 200, 200),
    "approve_change": (401, 404, 403, 403, 409),
    "apply_change": (401, 404, 403, 409, 409),
    "confirm_change": (401, 404, 403, 409, 409),
    "roll_back_change": (401, 404, 403, 409, 409),
    "discard_change": (401, 404, 403, 200, 409),
    "undo_change": (401, 404, 403, 409, 409),
    "list_drift": READ,
    "list_clocks": READ,
    "list_saved_state": READ,
    "list_circuits": READ,
    "get_circuit": READ,
    "list_circuit_history": READ,
    "plan_circuits": READ,
    "hand_over_circuits": READ,
    "list_neighbours": READ,
    "list_neighbour_tables": READ,
    "get_neighbour_history": READ,
    "list_duplicates": READ,
    "list_drills": READ,
    "get_drill": READ,
    "create_drill": (401, 404, 403, 201, 201),
    "cancel_drill": (401, 404, 403, 200, 409),
    "list_test_plans": READ,
    "get_test_plan": READ,
    "create_test_plan": (401, 404, 403, 201, 409),
    "update_test_plan": (401, 404, 403, 200, 200),
    "run_test_plan": (401, 404, 403, 409, 409),
    "delete_test_plan": (401, 404, 403, 409, 409),
    "list_test_runs": READ,
    "get_test_run": READ,
    "get_test_cell": READ,
    "compare_test_runs": READ,
    "export_test_run": READ,
    "cancel_test_run": (401, 404, 403, 200, 409),
    "list_test_grids": READ,
    "get_test_grid": READ,
    "list_events": READ,
    "list_annotations": READ,
    "list_event_groups": READ,
    "list_incidents": READ,
    "get_incident": READ,
    "get_incident_summary": READ,
    "bulk_incidents": (401, 404, 403, 409, 409),
    "acknowledge_incident": (401, 404, 403, 200, 409),
    "snooze_incident": (401, 404, 403, 200, 200),
    "assign_incident": (401, 404, 403, 200, 200),
    "comment_incident": (401, 404, 403, 200, 200),
    "list_maintenance_windows": READ,
    "create_maintenance_window": (401, 404, 403, 201, 201),
    "import_maintenance_windows": (401, 404, 403, 200, 200),
    "get_maintenance_window": READ,
    "update_maintenance_window": (401, 404, 403, 200, 200),
    "end_maintenance_window": (401, 404, 403, 200, 409),
    "delete_maintenance_window": (401, 404, 403, 204, 404),
    "list_calendar_feeds": READ,
    "create_calendar_feed": (401, 404, 403, 201, 201),
    "delete_calendar_feed": (401, 404, 403, 204, 404),
    "get_calendar": (200, 200, 200, 200, 200),
    "list_rules": READ,
    "get_rule": READ,
    "update_rule": (401, 404, 403, 200, 200),
    "list_rule_overrides": READ,
    "create_rule_override": (401, 404, 403, 201, 201),
    "delete_rule_override": (401, 404, 403, 204, 404),
    "preview_rule": (401, 404, 403, 200, 200),
    "list_unmeasured": READ,
    "list_port_rules": READ,
    "export_rules": READ,
    "list_metric_limits": READ,
    "get_metric_limit": READ,
    "create_metric_limit": (401, 404, 403, 201, 422),
    "update_metric_limit": (401, 404, 403, 200, 200),
    "delete_metric_limit": (401, 404, 403, 204, 404),
    "preview_metric_limit": (401, 404, 403, 200, 200),
    "receive_alerts": (401, 404, 403, 200, 200),
    "list_channels": READ,
    "get_channel": READ,
    "create_channel": (401, 404, 403, 403, 201),
    "update_channel": (401, 404, 403, 403, 200),
    "test_channel": (401, 404, 403, 200, 200),
    "delete_channel": (401, 404, 403, 403, 204),
    "list_notification_routes": READ,
    "get_notification_route": READ,
    "create_notification_route": (401, 404, 403, 201, 409),
    "update_notification_route": (401, 404, 403, 200, 200),
    "delete_notification_route": (401, 404, 403, 204, 404),
    "list_people": (401, 404, 403, 200, 200),
    "list_schedules": READ,
    "get_schedule": READ,
    "create_schedule": (401, 404, 403, 201, 409),
    "update_schedule": (401, 404, 403, 200, 200),
    "delete_schedule": (401, 404, 403, 204, 404),
    "list_deliveries": READ,
    "get_delivery": READ,
    "get_push": READ,
    "list_push_devices": READ,
    "create_push_device": (401, 404, 422, 422, 422),
    "delete_push_device": (401, 404, 404, 404, 404),
    "list_wallboards": READ,
    "get_current_wallboard": (401, 403, 403, 403, 403),
    "get_wallboard": READ,
    "create_wallboard": (401, 404, 403, 201, 409),
    "update_wallboard": (401, 404, 403, 200, 200),
    "renew_wallboard": (401, 404, 403, 200, 200),
    "revoke_wallboard": (401, 404, 403, 200, 409),
    "list_saved_views": READ,
    "create_saved_view": (401, 404, 403, 201, 409),
    "update_saved_view": (401, 404, 403, 403, 200),
    "delete_saved_view": (401, 404, 403, 403, 204),
    "list_agents": READ,
    "revoke_agent": (401, 404, 403, 403, 200),
    "create_enrolment_token": (401, 404, 403, 403, 201),
    "import_site_file": (401, 403, 403, 403, 403),
    "get_alive": (200, 200, 200, 200, 200),
    "get_health": (503, 503, 503, 503, 503),
    "live": (401, 503, 503, 503, 503),
}
"""Statuses in the order of WHO, who come one after the other: what the operator took, the administrator
cannot take again. `get_health`: no ingest runs here. `create_export`: exports are off. `live` under WSGI is
refused as unavailable, whoever asks. `push-devices` are one's own: nobody here has one, and the site does not
allow push."""


NOBODYS = 10**9
"""An id that no object has: of what the operator has removed."""
POLICY = {
    "site": "argonne",
    "name": "another",
    "nodes": {"names": ["sp*"]},
    "prefix": "10.9.1.0/24",
    "gateways": ["grf1", "atmgw"],
}


WINDOW = {
    "site": "argonne",
    "name": "spare cables",
    "starts_at": "2026-01-01T00:00:00Z",
    "duration_s": 3600,
    "targets": [{"kind": "site"}],
}
TESTED = {
    "site": "argonne",
    "name": "another",
    "senders": ["sp01"],
    "receivers": ["sp02"],
    "matrix": {"kind": "tcp", "duration_s": 5},
}


OVERRIDE = {"site": "argonne", "scope": "role", "match": "gateway", "severity": "critical"}
LIMIT = {"site": "argonne", "name": "hot", "metric": "entity.temperature", "raise_at": 60, "clear_at": 55}
# The loopback address is refused: a test of this channel sends nothing.
CHANNEL = {"site": "argonne", "name": "hook", "kind": "webhook", "config": {"url": "http://127.0.0.1:9/"}}
ROUTE = {"site": "argonne", "name": "another"}
WALL = {"site": "argonne", "name": "control room"}
PUSH_DEVICE = {
    "site": "argonne",
    "label": "phone",
    "endpoint": "https://push.example.org/send",
    "p256dh": "A" * 87,
    "auth": "A" * 22,
}
SHARED_VIEW = {"site": "argonne", "list_name": "links", "name": "hot links", "is_shared": True}
ON_CALL = {"site": "argonne", "name": "another", "people": ["operator"], "starts_on": "2026-06-01"}


def _step() -> dict[str, object]:
    return {"after_s": 0, "channels": list(Channel.objects.values_list("pk", flat=True)[:1])}


@functools.cache
def operations() -> dict[str, tuple[str, str]]:
    """Operation id -> (method, path) of the document."""
    paths = api.get_openapi_schema(path_prefix="/api/v1/")["paths"]
    return {
        str(answer["operationId"]): (method, path)
        for path, methods in paths.items()
        for method, answer in methods.items()
    }


@pytest.fixture(scope="module")
def made(shown_at_once: None, django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """Two sites, one with an incident; created once, changes of a test are rolled back."""
    with kept(django_db_blocker):
        yield full_site()


@pytest.fixture
def world(made: World, db: None) -> World:
    return made


@pytest.fixture
def everybody(world: World) -> dict[str, dict[str, str]]:
    """Headers of each of WHO."""
    return {
        "nobody": {},
        "stranger": bearer(person("stranger", Role.ADMIN, "elsewhere")),
        "viewer": bearer(person("viewer", Role.VIEWER, "argonne")),
        "operator": bearer(person("operator", Role.OPERATOR, "argonne")),
        "admin": bearer(person("admin", Role.ADMIN, "argonne")),
    }


def call(client: Client, world: World, operation: str, headers: dict[str, str]) -> Any:
    """Call an operation with an object of the site in its path, and a body that would be accepted."""
    method, path = operations()[operation]
    objects = {
        "nodes": world.node("grf1").pk,
        "extension-nodes": world.node("grf1").pk,
        "fabrics": Fabric.objects.get(site=world.site, name="hippi").pk,
        "hippi": Fabric.objects.get(site=world.site, name="hippi").pk,
        "infiniband": Fabric.objects.get(site=world.site, name="ib").pk,
        "ports": Port.objects.filter(node=world.node("grf1")).values_list("pk", flat=True)[0],
        "links": world.link("grf1:ga030").pk,
        "exports": Export.objects.values_list("pk", flat=True).first() or NOBODYS,
        "recordings": DeviceRecording.objects.values_list("pk", flat=True)[0],
        "paths": Path.objects.filter(node=world.node("sp01")).values_list("pk", flat=True)[0],
        "failover-policies": FailoverPolicy.objects.filter(name=OWN["name"])
        .values_list("pk", flat=True)
        .first()
        or NOBODYS,
        "arp-policies": ArpPolicy.objects.filter(fabric__name="hippi").values_list("pk", flat=True).first()
        or NOBODYS,
        "drills": Drill.objects.values_list("pk", flat=True).first() or NOBODYS,
        "circuits": Circuit.objects.values_list("pk", flat=True)[0],
        "test-plans": TestPlan.objects.values_list("pk", flat=True)[0],
        "test-grids": TestPlan.objects.values_list("pk", flat=True)[0],
        "test-runs": TestRun.objects.values_list("pk", flat=True)[0],
        "changes": Change.objects.values_list("pk", flat=True)[0],
        "incidents": Incident.objects.exclude(phase="pending").values_list("pk", flat=True)[0],
        "rule-overrides": RuleOverride.objects.values_list("pk", flat=True).first() or NOBODYS,
        "metric-limits": MetricLimit.objects.filter(name=LIMIT["name"]).values_list("pk", flat=True).first()
        or NOBODYS,
        "capacity": CapacityFailure.objects.values_list("pk", flat=True)[0],
        "agents": Agent.objects.get(site="argonne", node="sp01").pk,
        "maintenance-windows": MaintenanceWindow.objects.values_list("pk", flat=True).first() or NOBODYS,
        "calendar-feeds": CalendarFeed.objects.values_list("pk", flat=True).first() or NOBODYS,
        "channels": Channel.objects.values_list("pk", flat=True).first() or NOBODYS,
        "notification-routes": NotificationRoute.objects.values_list("pk", flat=True).first() or NOBODYS,
        "schedules": Schedule.objects.values_list("pk", flat=True).first() or NOBODYS,
        "push-devices": NOBODYS,
        "wallboards": Wallboard.objects.values_list("pk", flat=True)[0],
        "saved-views": SavedView.objects.values_list("pk", flat=True).first() or NOBODYS,
        "deliveries": Delivery.objects.values_list("pk", flat=True)[0],
    }
    path = path.replace("forecast/{id}", f"forecast/{LinkForecast.objects.values_list('pk', flat=True)[0]}")
    path = path.replace("{id}", str(objects.get(path.split("/")[3], ""))).replace("{index}", "0")
    path = path.replace("{node_id}", str(NOBODYS)).replace("{token}", CALENDAR_TOKEN)
    path = path.replace("{kind}", "saturation")
    bodies: dict[str, Any] = {
        "sign_in": {"username": "viewer", "password": "wrong"},
        "acknowledge_incident": {"comment": "seen"},
        "bulk_incidents": {
            "site": "argonne",
            "action": "acknowledge",
            "filter": {},
            "count": 0,
            "digest": "",
        },
        "snooze_incident": {"for_s": 3600},
        "assign_incident": {"owner": None},
        "comment_incident": {"text": "seen"},
        "create_maintenance_window": WINDOW,
        "update_maintenance_window": WINDOW,
        "import_maintenance_windows": {
            "site": "argonne",
            "text": "BEGIN:VCALENDAR\nEND:VCALENDAR",
            "targets": [{"kind": "site"}],
        },
        "create_calendar_feed": {"site": "argonne", "name": "on-call"},
        "receive_alerts": {"version": "4", "alerts": []},
        "create_channel": {**CHANNEL, "name": "another"},
        "update_channel": CHANNEL,
        "create_notification_route": {**ROUTE, "steps": [_step()]},
        "update_notification_route": {**ROUTE, "name": "everything", "steps": [_step()]},
        "create_schedule": ON_CALL,
        "update_schedule": {**ON_CALL, "name": "primary"},
        "create_wallboard": {**WALL, "name": "another"},
        "update_wallboard": WALL,
        "create_push_device": PUSH_DEVICE,
        "create_saved_view": {**SHARED_VIEW, "name": "another"},
        "update_saved_view": SHARED_VIEW,
        "revoke_agent": {},
        "create_export": {"site": "argonne"},
        "move_path": {"gateway": "atmgw"},
        "create_failover_policy": POLICY,
        "update_failover_policy": {**POLICY, "name": OWN["name"]},
        "preview_group": {"site": "argonne", "nodes": {"names": ["sp*"]}},
        "preview_stripe": {**POLICY, "gateways": [], "stripe": {"gateways": ["grf1", "atmgw"]}},
        "create_arp_policy": {"site": "argonne", "fabric": "sp-switch", "mode": "on"},
        "update_arp_policy": {"site": "argonne", "fabric": "hippi"},
        "plan_circuits": {"site": "argonne", "groups": [{"name": "sp", "count": 4}]},
        "hand_over_circuits": {"site": "argonne", "node": "grf1"},
        "check_extension_node": {"site": "argonne", "node": "grf2"},
        "create_test_plan": TESTED,
        "update_test_plan": {**TESTED, "name": "mesh"},
        "create_drill": {"policy": objects["failover-policies"]},
        "create_change": {"site": "argonne", "policies": [objects["failover-policies"]]},
        "approve_change": {"digest": "0" * 64},
        "apply_change": {"digest": "0" * 64},
        "roll_back_change": {"reason": "no"},
        "create_enrolment_token": {"site": "argonne", "node": "sp01"},
        "update_rule": {"site": "argonne", "parameters": {"raise_at": 0.8}},
        "create_rule_override": OVERRIDE,
        "preview_rule": OVERRIDE,
        "create_metric_limit": {**LIMIT, "name": "another"},
        "update_metric_limit": LIMIT,
        "preview_metric_limit": LIMIT,
        "import_site_file": {"text": site_file(), "dry_run": True},
    }
    if operation == "compare_test_runs":
        path += f"?with={objects['test-runs']}&q="
    if operation == "receive_alerts":
        path += "?site=argonne"
    if operation == "get_arp_rule":
        path += "?site=argonne&fabric=hippi&q="
    if operation in {"get_past_overview", "get_past_topology"}:
        path += "?site=argonne&at=now-1h&q="
    if operation == "get_routes_between":
        path += "?site=argonne&source=sp01&destination=origin1&q="
    if operation == "search":
        path += "?site=argonne&q="
    if operation == "get_neighbour_history":
        path += "?site=argonne&address=10.1.0.1&q="
    if operation == "get_device_metric_history":
        path += "?metric=ib.symbol_errors"
    if method == "get":
        return client.get(path + ("" if "{" in path or objects.get("") else "?site=argonne"), headers=headers)
    return getattr(client, method)(
        path, bodies.get(operation), content_type="application/json", headers=headers
    )


def test_every_operation_has_an_access_row() -> None:
    assert set(TABLE) == set(operations())


@pytest.mark.parametrize("operation", list(TABLE))
def test_every_role_gets_the_declared_response(
    client: Client, world: World, everybody: dict[str, dict[str, str]], operation: str
) -> None:
    got = {who: call(client, world, operation, everybody[who]) for who in WHO}
    assert {who: reply.status_code for who, reply in got.items()} == dict(
        zip(WHO, TABLE[operation], strict=True)
    ), {who: reply.content[:200] for who, reply in got.items()}
    for reply in got.values():
        if reply.status_code >= 400:
            assert set(reply.json()) >= {"code", "message", "fields"}


def test_every_response_is_declared_in_the_document(
    client: Client, world: World, everybody: dict[str, dict[str, str]]
) -> None:
    paths = api.get_openapi_schema(path_prefix="/api/v1/")["paths"]
    for operation, (method, path) in operations().items():
        declared = {int(status) for status in paths[path][method]["responses"]}
        assert set(TABLE[operation]) <= declared, operation


def test_the_live_stream_is_declared_as_events_with_messages() -> None:
    answer = api.get_openapi_schema(path_prefix="/api/v1/")["paths"]["/api/v1/live"]["get"]["responses"][200]
    assert list(answer["content"]) == ["text/event-stream"]
    data = answer["content"]["text/event-stream"]["schema"]["properties"]["data"]
    assert data["contentSchema"] == {"$ref": "#/components/schemas/LiveMessage"}


def test_every_operation_with_a_body_declares_its_limits() -> None:
    paths = api.get_openapi_schema(path_prefix="/api/v1/")["paths"]
    for path, methods in paths.items():
        for method, operation in methods.items():
            if "requestBody" in operation:
                assert {408, 413} <= {int(status) for status in operation["responses"]}, (method, path)


PUBLIC = {"sign_in", "get_calendar", "get_alive", "get_health"}
"""Operations without authentication: a token changes nothing."""


@pytest.mark.parametrize("operation", list(TABLE))
def test_wallboard_reads_its_pages_and_nothing_else(client: Client, world: World, operation: str) -> None:
    now = datetime.now(UTC)
    wall = Wallboard.objects.get(site=world.site)
    token = services.renew_token(wall, User.objects.get(username="hanger"), now)
    reply = call(client, world, operation, {"authorization": f"Bearer {token}"})
    if operation in PUBLIC:
        assert reply.status_code == TABLE[operation][0]
    elif operation in WALLBOARD_OPERATIONS:
        assert operations()[operation][0] == "get"
        # The live stream needs ASGI: 503 says that the token was accepted.
        assert reply.status_code == (503 if operation == "live" else 200), reply.content
    else:
        assert (reply.status_code, reply.json()["code"]) == (403, "forbidden"), reply.content


def test_token_never_exceeds_its_role(client: Client, world: World) -> None:
    admin = person("boss", Role.ADMIN)
    incident = Incident.objects.get(rule__kind="gateway_failed_over")
    reply = client.post(
        f"/api/v1/incidents/{incident.pk}/acknowledge",
        {"comment": ""},
        content_type="application/json",
        headers=bearer(admin, Role.VIEWER),
    )
    assert reply.status_code == 403


def test_unknown_or_expired_token_is_refused_even_with_a_valid_session(client: Client, world: World) -> None:
    user = person("sam", Role.VIEWER)
    client.force_login(user)
    assert client.get("/api/v1/sites").status_code == 200
    reply = client.get("/api/v1/sites", headers={"authorization": "Bearer bst_nonsense"})
    assert (reply.status_code, reply["WWW-Authenticate"]) == (401, "Bearer")
    headers = bearer(user)
    ApiToken.objects.update(expires_at=world.now - timedelta(minutes=1))
    assert client.get("/api/v1/sites", headers=headers).status_code == 401
    User.objects.filter(pk=user.pk).update(is_active=False)


def test_session_needs_the_csrf_token_for_changes(world: World) -> None:
    client = Client(enforce_csrf_checks=True)
    person("sam", Role.OPERATOR)
    signed_in = client.post(
        "/api/v1/session",
        {"username": "sam", "password": "correct horse"},
        content_type="application/json",
    )
    assert signed_in.status_code == 200
    assert signed_in.json()["role"] == "operator"
    path = f"/api/v1/incidents/{Incident.objects.get(rule__kind='gateway_failed_over').pk}/acknowledge"
    refused = client.post(path, {"comment": ""}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    token = client.get("/api/v1/session").json()["csrf_token"]
    taken = client.post(
        path, {"comment": ""}, content_type="application/json", headers={"x-csrftoken": token}
    )
    assert taken.status_code == 200
    assert taken.json()["acknowledged_by"] == "sam"
