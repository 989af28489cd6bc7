"""The site file's `routing` key: nodes with managed routes, and their engines."""

from __future__ import annotations

import pytest
from django.utils import timezone

from backstay.inventory.models import Node
from backstay.inventory.site_file.errors import InvalidSiteFile
from backstay.inventory.site_file.importer import import_site
from backstay.inventory.site_file.parser import parse

FILE = """
site: lab
nodes:
  - name: sp01
    kind: host
    agent: {agent}
    routing: {routing}
  - name: sp02
    kind: host
    agent: self
"""


def _file(routing: str, agent: str = "self") -> str:
    return FILE.format(routing=routing, agent=agent)


@pytest.mark.django_db
def test_engine_has_default_paths_and_node_without_engine_is_unmanaged() -> None:
    import_site(parse(_file("{engine: gated}"), "site.yaml"), timezone.now())
    gated = {"config": "/etc/gated.conf", "control": "/usr/sbin/gdc", "dump": "/usr/tmp/gated_dump"}
    assert Node.objects.get(name="sp01").routing == {"engine": "gated", **gated}
    assert Node.objects.get(name="sp02").routing == {}


@pytest.mark.parametrize(
    ("routing", "expected"),
    [
        ("{engine: gated, control: /bin/sh}", "text that matches"),
        ("{engine: quagga}", "one of 'kernel', 'frr', 'bird', 'gated'"),
        ("{engine: bird, control: relative.ctl}", "text that matches"),
        ("{engine: kernel, control: /run/x}", "a known key"),
    ],
)
def test_invalid_engine_is_reported(routing: str, expected: str) -> None:
    with pytest.raises(InvalidSiteFile) as refused:
        parse(_file(routing), "site.yaml")
    assert expected in str(refused.value.errors[0])


def test_routes_are_changed_on_the_host_only() -> None:
    with pytest.raises(InvalidSiteFile) as refused:
        parse(_file("{engine: frr}", agent="sp02"), "site.yaml")
    assert "agent: self" in str(refused.value.errors[0])
