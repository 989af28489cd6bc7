"""Exports over the public API: who may make, see, download and delete them, and what is refused."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from backstay.api.exports import router
from backstay.api.tests.world import bearer, person
from backstay.core.roles import Role
from backstay.inventory.models import Fabric, Link, Port, Site
from backstay.telemetry.export_models import Export
from backstay.telemetry.exports import services
from backstay.telemetry.tasks import write_exports
from bench.archive_rows import SampledNode, fill_day, make_nodes


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Settings) -> Path:
    settings.EXPORTS = str(tmp_path / "exports")
    return tmp_path / "exports"


@pytest.fixture
def nodes(db: None) -> list[SampledNode]:
    made = make_nodes("lab", nodes=2, ports=3)
    fill_day((timezone.now() - timedelta(days=1)).date(), made, length_s=3600)
    make_nodes("other", nodes=1, ports=1)
    return made


class Api:
    """Requests of one user."""

    def __init__(self, name: str, role: Role, site: str = "lab") -> None:
        self.headers = bearer(person(name, role, site))

    def __call__(self, method: str, path: str, status: int, body: Any = None, **more: str) -> Any:
        known = {} if body is None else {"data": body, "content_type": "application/json"}
        send = getattr(Client(), method)
        reply = send(f"/api/v1/{path}", headers={**self.headers, **more}, **known)
        assert reply.status_code == status, reply.content
        return reply.json() if reply.content else None


def test_viewer_exports_watches_and_downloads(nodes: list[SampledNode]) -> None:
    vera = Api("vera", Role.VIEWER)
    body = {"ports": nodes[0].ports[:2], "start": "now-2d", "level": "samples"}
    made = vera("post", "exports", 201, body)
    assert (made["state"], made["selection"], made["by"]) == ("queued", "2 ports", "vera")
    assert (made["download"], made["text"]) == (None, "Waiting for a worker.")
    assert "not complete" in vera("get", f"exports/{made['id']}/download", 409)["message"]
    assert write_exports() is True
    done = vera("get", f"exports/{made['id']}", 200)
    assert (done["state"], done["progress"], done["can_delete"]) == ("done", 1.0, True)
    assert done["rows"] == 2 * 120 + done["gap_count"]
    assert done["expires_at"] > done["ended_at"]
    assert [item["id"] for item in vera("get", "exports?state=done", 200)["items"]] == [made["id"]]
    assert vera("get", "exports?state=open", 200)["items"] == []
    content, reply = downloaded(done["download"], vera.headers)
    assert len(content) == done["bytes"] == int(reply["Content-Length"])
    assert content.startswith(b"node,port,fabric,link,")
    assert reply["Content-Disposition"] == f'attachment; filename="{done["filename"]}"'


def downloaded(path: str, headers: dict[str, str]) -> tuple[bytes, Any]:
    """The file as ASGI sends it: in more than one piece, from an asynchronous iterator."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(router, "CHUNK", 1000)
        reply: Any = Client().get(path, headers=headers)
        assert (reply.status_code, reply.is_async) == (200, True)

        async def pieces() -> list[bytes]:
            return [piece async for piece in reply.streaming_content]

        found = asyncio.run(pieces())
    assert len(found) > 1
    return b"".join(found), reply


def test_sites_that_a_user_may_not_see_stay_hidden(nodes: list[SampledNode]) -> None:
    vera, otto = Api("vera", Role.VIEWER), Api("otto", Role.ADMIN, "other")
    made = vera("post", "exports", 201, {"site": "lab"})
    assert otto("get", "exports", 200)["items"] == []
    for method, path in (("get", ""), ("get", "/download"), ("delete", "")):
        otto(method, f"exports/{made['id']}{path}", 404)
    otto("post", "exports", 404, {"site": "lab"})
    otto("post", "exports", 422, {"site": "other", "ports": nodes[0].ports[:1]})


def test_owner_and_operators_delete(nodes: list[SampledNode], folder: Path) -> None:
    vera, otto, olga = Api("vera", Role.VIEWER), Api("otto", Role.VIEWER), Api("olga", Role.OPERATOR)
    first, second = (vera("post", "exports", 201, {"start": "now-2d"})["id"] for _ in range(2))
    write_exports()
    assert len(list(folder.iterdir())) == 2
    assert otto("get", f"exports/{first}", 200)["can_delete"] is False
    otto("delete", f"exports/{first}", 403)
    vera("delete", f"exports/{first}", 204)
    olga("delete", f"exports/{second}", 204)
    write_exports()
    assert list(folder.iterdir()) == []
    vera("get", f"exports/{first}", 404)


def test_links_and_fabrics_of_the_site_only(nodes: list[SampledNode]) -> None:
    vera, site = Api("vera", Role.VIEWER), Site.objects.get(name="lab")
    fabric = Fabric.objects.create(site=site, name="eth0", kind="ethernet", media_rate=1, usable_rate=1)
    link = Link.objects.create(site=site, a_id=nodes[0].ports[0], b_id=nodes[1].ports[0], fabric=fabric)
    assert vera("post", "exports", 201, {"links": [link.pk]})["selection"] == "1 link"
    assert vera("post", "exports", 201, {"fabric": "eth0"})["selection"] == "fabric eth0"
    problem = vera("post", "exports", 422, {"fabric": "eth0", "links": [link.pk]})
    assert set(problem["fields"]) == {"fabric", "links"}
    assert "fabric" in vera("post", "exports", 422, {"fabric": "eth9"})["fields"]
    elsewhere = Port.objects.get(node__site__name="other").pk
    assert "ports" in vera("post", "exports", 422, {"ports": [elsewhere]})["fields"]
    assert "start" in vera("post", "exports", 422, {"start": "now+1h", "end": "now+2h"})["fields"]


def test_repeated_request_makes_one_export(nodes: list[SampledNode]) -> None:
    vera = Api("vera", Role.VIEWER)
    ids = {vera("post", "exports", 201, {}, **{"Idempotency-Key": "one"})["id"] for _ in range(2)}
    assert len(ids) == Export.objects.count() == 1


def test_limits_of_a_user(nodes: list[SampledNode], settings: Settings) -> None:
    vera, otto = Api("vera", Role.VIEWER), Api("otto", Role.VIEWER)
    for _ in range(services.MOST_OPEN):
        vera("post", "exports", 201, {})
    assert "3 of your exports are not ended" in vera("post", "exports", 422, {})["message"]
    otto("post", "exports", 201, {})
    Export.objects.update(state="done", ended_at=timezone.now(), bytes=100)
    settings.EXPORT_USER_BYTES = 300
    assert "Your exports take 300 B" in vera("post", "exports", 422, {})["message"]


def test_lost_worker_and_missing_folder_are_named(
    nodes: list[SampledNode], settings: Settings, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    vera = Api("vera", Role.VIEWER)
    ident = vera("post", "exports", 201, {"start": "now-2d"})["id"]
    Export.objects.update(created_at=timezone.now() - timedelta(minutes=3))
    assert "is a worker running?" in vera("get", f"exports/{ident}", 200)["text"]
    write_exports()
    settings.EXPORTS = str(folder / "elsewhere")
    assert "one folder of web and worker" in vera("get", f"exports/{ident}/download", 404)["message"]
    settings.EXPORTS = ""
    with caplog.at_level(logging.CRITICAL):
        assert "BACKSTAY_EXPORTS" in vera("post", "exports", 503, {})["message"]
