"""Importing a site file: rows written, rows kept, and the agents' desired state."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from backstay.accounts import secrets
from backstay.accounts.models import Agent
from backstay.intake.site_files import Imported, import_text
from backstay.inventory.models import Fabric, Link, Node, Port, Site
from backstay.inventory.site_file.errors import InvalidSiteFile
from backstay.policy.models import FailoverPolicy

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
CANARY = "planted-canary"
TEXT = f"""\
site: lab
interval_s: 2
fabrics:
  - {{name: lan, kind: ethernet, media_rate: 1 Gb/s}}
  - {{name: atm, kind: atm, media_rate: 155.52 Mb/s}}
nodes:
  - {{name: a1, kind: host, agent: self, sources: [{{kind: linux}}],
     ports: [{{name: eth0, fabric: lan, addresses: [10.0.0.1/24]}}]}}
  - name: gw
    kind: gateway
    agent: a1
    sources:
      - {{kind: snmp, address: 10.9.0.9, access: {{version: "2c", community: {CANARY}}}}}
    ports:
      - {{name: eth0, fabric: lan, addresses: [10.0.0.9/24]}}
      - {{name: at0, fabric: atm}}
  - {{name: far, kind: router, ports: [{{name: at0, fabric: atm}}]}}
links:
  - {{a: "gw:at0", b: "far:at0", circuit: 0/100}}
failover_policies:
  - {{name: out, nodes: [a1], prefix: 0.0.0.0/0, gateways: [gw], detection: bfd}}
"""


def imported(text: str, *, dry_run: bool = False) -> Imported:
    return import_text(text, "lab.yaml", NOW, dry_run=dry_run)


def test_first_import_creates_everything(db: None) -> None:
    done = imported(TEXT)
    assert (done.changed - 1, done.removed, done.unchanged) == (0, 0, 0), "the policy counts as changed"
    assert done.created == 1 + 2 + 3 + 4 + 3
    assert Node.objects.get(name="gw").watcher == Node.objects.get(name="a1")
    assert FailoverPolicy.objects.get().name == "out"


def test_port_without_link_is_attached_to_its_fabric(db: None) -> None:
    imported(TEXT)
    links = {(link.a.node.name, link.a.name, link.b and link.b.node.name) for link in Link.objects.all()}
    assert links == {("a1", "eth0", None), ("gw", "eth0", None), ("gw", "at0", "far")}


def test_reimport_changes_nothing(db: None) -> None:
    imported(TEXT)
    version = Site.objects.get().version
    again = imported(TEXT)
    assert (again.created, again.changed, again.removed) == (0, 0, 0)
    assert Site.objects.get().version == version


def test_dry_run_counts_without_writing(db: None) -> None:
    assert imported(TEXT, dry_run=True).created == 13
    assert not Site.objects.exists()


@pytest.mark.parametrize(
    ("old", "new", "counts"),
    [
        ("interval_s: 2", "interval_s: 5", (0, 1, 0)),
        ("155.52 Mb/s", "622.08 Mb/s", (0, 1, 0)),
        ("10.0.0.1/24", "10.0.0.3/24", (0, 1, 0)),
        (CANARY, "another", (0, 1, 0)),
        ("    agent: a1\n", "    agent: a1\n    title: Gate\n", (0, 1, 0)),
        ("circuit: 0/100", "circuit: 0/101", (0, 1, 0)),
        ('links:\n  - {a: "gw:at0", b: "far:at0", circuit: 0/100}\n', "", (2, 0, 1)),
    ],
)
def test_only_differences_are_written(db: None, old: str, new: str, counts: tuple[int, int, int]) -> None:
    imported(TEXT)
    version = Site.objects.get().version
    done = imported(TEXT.replace(old, new))
    assert (done.created, done.changed, done.removed) == counts
    assert Site.objects.get().version == version + 1


def test_omitted_node_is_removed_with_ports_and_links(db: None) -> None:
    imported(TEXT)
    text = TEXT.replace("  - {name: far, kind: router, ports: [{name: at0, fabric: atm}]}\n", "")
    text = text.replace('links:\n  - {a: "gw:at0", b: "far:at0", circuit: 0/100}\n', "")
    imported(text)
    assert not Node.objects.filter(name="far").exists()
    assert {(link.a.name, link.b) for link in Link.objects.all()} == {("eth0", None), ("at0", None)}


def test_discovered_port_is_kept(db: None) -> None:
    imported(TEXT)
    found = Port.objects.create(node=Node.objects.get(name="gw"), name="lo1", declared=False)
    imported(TEXT)
    assert Port.objects.filter(pk=found.pk).exists()


def test_unused_fabric_is_removed(db: None) -> None:
    imported(TEXT)
    text = TEXT.replace("  - {name: atm, kind: atm, media_rate: 155.52 Mb/s}\n", "")
    text = text.replace("fabric: atm", "fabric: lan")
    imported(text)
    assert [fabric.name for fabric in Fabric.objects.all()] == ["lan"]


def test_change_increments_the_generation_of_the_sites_agents(db: None) -> None:
    imported(TEXT)
    agent = Agent.objects.create(site="lab", node="a1", public_key=b"k" * 32, version="1")
    imported(TEXT)
    agent.refresh_from_db()
    assert agent.generation == 1
    imported(TEXT.replace("interval_s: 2", "interval_s: 5"))
    agent.refresh_from_db()
    assert agent.generation == 2


def test_restored_node_keeps_its_agent(db: None) -> None:
    agent = Agent.objects.create(site="lab", node="a1", public_key=b"k" * 32, version="1")
    imported(TEXT)
    assert Node.objects.get(name="a1").agent == agent


def test_device_secret_is_stored_only_encrypted(db: None) -> None:
    imported(TEXT)
    node = Node.objects.get(name="gw")
    assert secrets.decrypt(node.secrets) == {"snmp": {"community": CANARY}}
    everything = str([list(model.objects.values()) for model in (Site, Node, Port, Link, Fabric)])
    assert CANARY not in everything


def test_command_prints_its_changes(db: None, tmp_path: Path) -> None:
    file, out = tmp_path / "lab.yaml", StringIO()
    file.write_text(TEXT)
    call_command("import_site", str(file), stdout=out)
    assert out.getvalue() == "Site lab: 13 created, 1 changed, 0 removed, 0 unchanged\n"


def test_command_lists_every_error_and_imports_nothing(db: None, tmp_path: Path) -> None:
    file = tmp_path / "lab.yaml"
    file.write_text(TEXT.replace("1 Gb/s", "1 GB/s").replace("kind: router", "kind: rooter"))
    with pytest.raises(CommandError) as caught:
        call_command("import_site", str(file))
    lines = str(caught.value).splitlines()
    assert [line.split(": ")[0] for line in lines[:2]] == ["lab.yaml:4", "lab.yaml:17"]
    assert not Site.objects.exists()


def test_enrolment_token_needs_an_existing_node(db: None) -> None:
    imported(TEXT)
    out = StringIO()
    call_command("enrolment_token", "lab", "a1", stdout=out)
    assert out.getvalue().startswith("bse_")
    with pytest.raises(CommandError, match="no node a9"):
        call_command("enrolment_token", "lab", "a9")


def test_reimport_after_a_year_updates_the_same_site(db: None) -> None:
    imported(TEXT)
    version = Site.objects.get().version
    import_text(TEXT, "lab.yaml", NOW + timedelta(days=365))
    site = Site.objects.get()
    assert (site.version, site.imported_at) == (version, NOW + timedelta(days=365))


def test_change_settings_come_from_the_site_file(db: None) -> None:
    imported(TEXT)
    site = Site.objects.get()
    assert (site.second_person, site.wave_limit) == (False, 200)
    imported(TEXT.replace("interval_s: 2", "interval_s: 2\nsecond_person: true\nwave_limit: 8"))
    site.refresh_from_db()
    assert (site.second_person, site.wave_limit) == (True, 8)


def test_retention_of_a_site_comes_from_its_file(db: None) -> None:
    imported(TEXT.replace("interval_s: 2", "interval_s: 2\nretention: {events: 30, changes: 100}"))
    assert Site.objects.get().retention == {"events": 30, "changes": 100}
    imported(TEXT)
    assert Site.objects.get().retention == {}, "the installation's days"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("{evens: 30}", "expected one of events, "),
        ("{sessions: 30}", "expected one of events, "),
        ("{events: 0}", "expected 1 to 36500 days of events"),
        ("{path_history: 1}", "expected 8 to 36500 days of path_history"),
    ],
)
def test_retention_that_cannot_apply_is_an_error_of_the_file(db: None, value: str, expected: str) -> None:
    with pytest.raises(InvalidSiteFile, match=f"retention: {expected}"):
        imported(TEXT.replace("interval_s: 2", f"interval_s: 2\nretention: {value}"))
