"""An import of an edited file gives what an import of everything gives: rows, counts, errors and messages."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
import yaml
from django.conf import settings as django_settings
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import Settings

from backstay.accounts import secrets
from backstay.accounts.models import Agent
from backstay.core.errors import BackstayError
from backstay.intake import import_record, site_edits, site_files
from backstay.inventory.models import Fabric, ImportRecord, Link, Node, Port, Site
from backstay.inventory.site_file.positions import digests
from backstay.policy.models import FailoverPolicy, Path, PathRoute, RouteInputs
from backstay.telemetry.evidence_models import JudgedSite
from backstay.telemetry.models import Event

EXAMPLES = int(os.environ.get("BACKSTAY_SITE_EDITS", "60"))
"""Per form of the file; thousands take minutes: `BACKSTAY_SITE_EDITS=3000`."""
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
LATER = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
Json = dict[str, Any]


def site() -> Json:
    """A site with every section that an edit of a node may concern."""
    return {
        "site": "lab",
        "interval_s": 30,
        "fabrics": [
            {"name": "lan", "kind": "ethernet", "media_rate": "1 Gb/s"},
            {"name": "ib", "kind": "infiniband", "media_rate": "8 Gb/s"},
            {"name": "sp", "kind": "sp_switch", "media_rate": "960 Mb/s"},
        ],
        "nodes": [
            _host("h0"),
            {**_host("h1"), "title": "one: \u00e9", "labels": {"rack": "a", "slot": "1"}},
            {**_host("h2"), "arp": {}, "labels": {"rack": "b"}},
            {**_host("h3"), "routing": {"engine": "bird"}},
            {
                "name": "gw",
                "kind": "gateway",
                "agent": "h0",
                "sources": [
                    {
                        "kind": "snmp",
                        "address": "10.9.0.9",
                        "access": {"version": "2c", "community": "planted-canary"},
                    }
                ],
                "ports": [{"name": "e0", "fabric": "lan", "addresses": ["10.0.0.100/24"]}],
            },
            {"name": "far", "kind": "router", "ports": [{"name": "e0", "fabric": "lan"}]},
        ],
        "links": [{"a": "gw:e0", "b": "far:e0"}],
        "failover_policies": [
            {"name": "out", "nodes": ["h*"], "prefix": "0.0.0.0/0", "gateways": ["gw"], "detection": "bfd"}
        ],
    }


def _host(name: str) -> Json:
    return {
        "name": name,
        "kind": "host",
        "agent": "self",
        "sources": [{"kind": "linux"}],
        "node_number": int(name[1:]) + 1,
        "ports": [
            {"name": "eth0", "fabric": "lan", "addresses": [f"10.0.0.{int(name[1:]) + 1}/24"]},
            {"name": "css0", "fabric": "sp"},
        ],
    }


def _items(value: Json) -> str:
    """YAML with one item in braces on each line, and notes between them."""
    text = ""
    for key, part in value.items():
        text += f"{key}:\n" if isinstance(part, list) else f"{key}: {json.dumps(part)}\n"
        for item in part if isinstance(part, list) else ():
            text += f"  # {key}\n  - {json.dumps(item, ensure_ascii=False)}\n"
    return text


FORMS: dict[str, Callable[[Json], str]] = {
    "block": lambda value: str(yaml.safe_dump(value, sort_keys=False, allow_unicode=True)),
    "items": _items,
    "json": lambda value: json.dumps(value, separators=(",", ":"), ensure_ascii=False),
    "json, indented": lambda value: json.dumps(value, indent=1),
}
VALUES: dict[str, tuple[Any, ...]] = {
    "title": ("", "new", "a # b", 'say "x"', "x" * 201, 7, "- name: h9", "\u00fc"),
    "role": ("compute", "server", "no role"),
    "labels": ({}, {"rack": "c"}, {"slot": "2"}, {"rack": "a", "slot": "9"}, {"frame": "1"}),
    "sources": (
        [],
        [{"kind": "linux"}, {"kind": "linux"}],
        [{"kind": "linux", "interval_s": 10}],
        [{"kind": "linux", "interval_s": 60}],
        [{"kind": "frr"}],
        [{"kind": "frr", "vty_dir": "/etc"}],
        [{"kind": "infiniband", "fabric": "lan"}],
        [{"kind": "infiniband", "fabric": "ib"}],
        [{"kind": "snmp", "address": "10.9.0.9", "access": {"version": "2c", "community": "other"}}],
    ),
    "routing": (
        None,
        {"engine": "frr"},
        {"engine": "kernel", "config": "/etc/backstay/arp"},
        {"engine": "x"},
    ),
    "arp": (None, {}, {"config": "/etc/backstay/a", "settings": "/etc/backstay/a"}),
    "agent": ("self", "h0", "h1", None, "nobody"),
    "kind": ("host", "router"),
    "name": ("h9", "h1"),
    "node_number": (1, 2, 3, None),
    "guid": ("0x0002c90300a1b2c3",),
    "ports": ([], [{"name": "eth0", "fabric": "lan", "addresses": ["10.0.0.2/24"]}]),
}
TABLES = (Fabric, Port, Link, FailoverPolicy, Path, PathRoute, RouteInputs, JudgedSite, Site)


def outcome(text: str) -> dict[str, Any]:
    """The result of an import and all that it stored; undone."""
    with connection.cursor() as cursor:
        for model in (*TABLES, Node, Event):  # New rows have the same ids each time.
            table = model._meta.db_table
            cursor.execute(
                f"SELECT setval(pg_get_serial_sequence(%s, 'id'), (SELECT coalesce(max(id), 0) + 1"
                f" FROM {table}))",
                [table],
            )
    try:
        with transaction.atomic():
            found: dict[str, Any] = {"result": site_files.import_text(text, "lab.yaml", LATER)}
            found |= _rows()
            transaction.set_rollback(True)
    except BackstayError as problem:
        return {"refused": str(problem), "errors": getattr(problem, "errors", None)}
    return found


def _rows() -> dict[str, Any]:
    nodes: list[Json] = [dict(row) for row in Node.objects.order_by("pk").values()]
    for node in nodes:
        node["secrets"] = secrets.decrypt(node["secrets"])
    return {
        "nodes": nodes,
        **{model.__name__: list(model.objects.order_by("pk").values()) for model in TABLES},
        "events": list(Event.objects.order_by("pk").values("kind", "message", "at", "subject")),
        "agents": list(Agent.objects.order_by("node").values("node", "generation")),
    }


def compared(text: str) -> tuple[dict[str, Any], bool]:
    """The outcome of the edited file, and whether only its edit was read; equal to that of everything."""
    with transaction.atomic():
        edit = site_edits.find_edit(text, "lab.yaml")
        short = edit is not None and site_edits.import_site_edit(edit) is not None
        transaction.set_rollback(True)
    edited = outcome(text)
    with transaction.atomic():
        ImportRecord.objects.all().delete()
        whole = outcome(text)
        transaction.set_rollback(True)
    assert edited == whole
    return edited, short


def imported(text: str) -> None:
    """The state before: the file, and agents."""
    site_files.import_text(text, "lab.yaml", NOW)
    for name in ("h0", "h1"):
        Agent.objects.create(site="lab", node=name, public_key=bytes(32), version="1")


@st.composite
def edits(draw: st.DrawFn, form: str) -> str:
    """The text of the site with values of nodes changed, or with characters changed anywhere."""
    value = site()
    text = FORMS[form](value)
    if draw(st.booleans()):
        for _ in range(draw(st.integers(1, 2))):
            node = value["nodes"][draw(st.integers(0, len(value["nodes"]) - 1))]
            key = draw(st.sampled_from(sorted(VALUES)))
            changed = draw(st.sampled_from(VALUES[key]))
            node.pop(key, None)
            if changed is not None:
                node[key] = changed
        return FORMS[form](value)
    at = draw(st.integers(0, len(text)))
    removed = draw(st.integers(0, 12))
    pieces = (
        "",
        "x",
        "'",
        '"',
        "\n",
        "#",
        "# x\n",
        "- ",
        "  - {}\n",
        "{",
        "}",
        "]",
        ",",
        ": ",
        "|",
        "&a ",
        "---\n",
    )
    return text[:at] + draw(st.sampled_from(pieces)) + text[at + removed :]


@pytest.mark.parametrize("form", FORMS)
def test_any_edit_gives_what_an_import_of_everything_gives(db: None, form: str) -> None:
    imported(FORMS[form](site()))
    seen = {"short": 0, "short and refused": 0, "whole": 0}

    @given(edits(form))
    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
    def check(text: str) -> None:
        _, short = compared(text)
        seen["short" if short else "whole"] += 1

    check()
    assert seen["short"] > EXAMPLES / 20, "edits of nodes are found"
    assert seen["whole"] > EXAMPLES / 20, "other edits are not taken for one"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("title", "another"),
        ("role", "server"),
        ("labels", {"rack": "c", "slot": "1"}),
        ("sources", [{"kind": "linux", "interval_s": 10}]),
        ("routing", {"engine": "frr"}),
        ("arp", {}),
    ],
)
def test_only_the_edited_node_is_read(db: None, form: str, key: str, value: object) -> None:
    imported(FORMS[form](site()))
    changed = site()
    changed["nodes"][1][key] = value
    found, short = compared(FORMS[form](changed))
    assert short
    assert found["result"].changed == 1


@pytest.mark.parametrize("form", FORMS)
def test_edits_follow_each_other(db: None, form: str) -> None:
    imported(FORMS[form](site()))
    changed = site()
    for number in range(4):
        changed["nodes"][number]["title"] = "x" * (7 * number + 1)
        text = FORMS[form](changed)
        assert compared(text)[1]
        site_files.import_text(text, "lab.yaml", LATER)
        assert Node.objects.get(name=f"h{number}").title == "x" * (7 * number + 1)
    assert compared(FORMS[form](site()))[1], "several nodes are edited at once"


def test_the_same_file_again_changes_nothing(db: None) -> None:
    text = FORMS["block"](site())
    imported(text)
    found, short = compared(text)
    assert short
    assert (found["result"].changed, found["result"].created, found["result"].removed) == (0, 0, 0)


def test_a_dry_run_counts_without_writing(db: None) -> None:
    imported(FORMS["items"](site()))
    changed = site()
    changed["nodes"][2]["title"] = "another"
    done = site_files.import_text(FORMS["items"](changed), "lab.yaml", LATER, dry_run=True)
    assert done.changed == 1
    assert Node.objects.get(name="h2").title == ""
    assert site_files.import_text(FORMS["items"](changed), "lab.yaml", LATER).changed == 1


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE inventory_node SET title = 'by hand' WHERE name = 'h3'",
        "UPDATE inventory_node SET secrets = NULL WHERE name = 'gw'",
        "UPDATE inventory_port SET management = true WHERE name = 'e0'",
        "DELETE FROM inventory_link WHERE b_id IS NULL",
        "UPDATE inventory_fabric SET mtu = 9000 WHERE name = 'ib'",
        "UPDATE policy_failoverpolicy SET note = 'by hand'",
        "UPDATE inventory_site SET wave_limit = 7",
        "DELETE FROM alerts_siterule WHERE kind = 'saturation'",
    ],
)
def test_rows_that_anybody_changed_are_compared_again(db: None, statement: str) -> None:
    imported(FORMS["block"](site()))
    changed = site()
    changed["nodes"][1]["title"] = "another"
    with connection.cursor() as cursor:
        cursor.execute(statement)
    assert not compared(FORMS["block"](changed))[1]


def test_policies_and_rules_that_select_nodes_need_the_whole_file(db: None) -> None:
    value = site() | {"rules": [{"rule": "saturation", "label": "rack=b", "enabled": False}]}
    imported(FORMS["block"](value))
    value["nodes"][2]["labels"] = {"rack": "z"}
    assert not compared(FORMS["block"](value))[1]
    value["nodes"][2] |= {"labels": {"rack": "b"}, "title": "another"}
    assert compared(FORMS["block"](value))[1]


def test_a_label_that_a_policy_names_needs_the_whole_file(db: None) -> None:
    value = site()
    value["nodes"][5]["kind"] = "gateway"
    value["nodes"][5]["ports"][0]["addresses"] = ["10.0.0.101/24"]
    value["failover_policies"][0] |= {"gateways": ["gw", "far"], "stripe": {"by_label": "slot"}}
    imported(FORMS["block"](value))
    value["nodes"][1]["labels"] = {"rack": "a"}
    found, short = compared(FORMS["block"](value))
    assert not short
    assert "a label of a node in this file" in found["refused"]


def test_another_program_reads_the_whole_file(db: None, settings: Settings) -> None:
    text = FORMS["block"](site())
    imported(text)
    assert compared(text)[1]
    settings.SITE_PATHS = [*django_settings.SITE_PATHS, "/opt/other"]
    assert not compared(text)[1]


def test_digests_reveal_nothing_without_the_key(db: None, settings: Settings) -> None:
    text = FORMS["block"](site())
    imported(text)
    before = import_record.load(ImportRecord.objects.get()).digests
    assert "planted-canary" not in repr(before)
    settings.SECRET_KEYS = ["another", *settings.SECRET_KEYS]
    positions = before.positions
    assert digests(text, positions, import_record.text_key()).nodes[0] != before.nodes[0]
    assert not compared(text)[1]
