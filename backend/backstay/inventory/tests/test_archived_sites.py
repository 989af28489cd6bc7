"""A site that is no longer monitored: archived with its history, and restored by its file."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import call_command

from backstay.intake.site_files import import_text
from backstay.inventory.models import Site
from backstay.inventory.services import archive_sites

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
FILE = """
site: {name}
title: {name}
nodes:
  - {{name: n1, kind: host, role: compute}}
"""


def bring(name: str, now: datetime = NOW) -> None:
    import_text(FILE.format(name=name), f"{name}.yaml", now)


def watched() -> list[str]:
    return sorted(Site.objects.filter(archived_at=None).values_list("name", flat=True))


def test_all_other_sites_are_archived_once() -> None:
    for name in ("one", "two", "three"):
        bring(name)
    assert archive_sites(["two"], NOW) == ["one", "three"]
    assert watched() == ["two"]
    assert archive_sites(["two"], NOW + timedelta(hours=1)) == []
    assert Site.objects.get(name="one").archived_at == NOW
    assert Site.objects.get(name="one").nodes.count() == 1, "its inventory stays"


def test_importing_its_file_restores_an_archived_site() -> None:
    bring("one")
    bring("two")
    archive_sites(["two"], NOW)
    bring("one", NOW + timedelta(hours=1))
    assert watched() == ["one", "two"]


def test_command_lists_archived_sites() -> None:
    bring("one")
    bring("two")
    message = StringIO()
    call_command("archive_sites", "--but", "two", stdout=message)
    assert message.getvalue() == "Archived: one.\n"
    assert watched() == ["two"]
