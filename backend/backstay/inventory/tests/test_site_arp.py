"""The site file's `arp` key: nodes with managed ARP, and their boot files."""

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
    switch_node_number: 3
    agent: {agent}
    routing: {{engine: kernel, config: /etc/backstay/routes}}
    arp: {arp}
  - name: sp02
    kind: host
    agent: self
"""


def _file(arp: str, agent: str = "self") -> str:
    return FILE.format(arp=arp, agent=agent)


@pytest.mark.django_db
def test_empty_arp_key_means_default_files_and_no_key_means_monitoring_only() -> None:
    import_site(parse(_file("{}"), "site.yaml"), timezone.now())
    assert Node.objects.get(name="sp01").arp == {
        "config": "/etc/backstay/arp",
        "settings": "/etc/sysctl.d/60-backstay-arp.conf",
    }
    assert Node.objects.get(name="sp02").arp == {}


@pytest.mark.parametrize(
    ("arp", "agent", "expected"),
    [
        ("{config: relative}", "self", "text that matches"),
        ("{flag: off}", "self", "a known key"),
        ("{config: /etc/a, settings: /etc/a}", "self", "another file than config, /etc/a"),
        ("{config: /etc/backstay/routes}", "self", "other files than that of its routes"),
        ("{}", "sp02", "agent: self, because ARP is changed on the host"),
    ],
)
def test_invalid_arp_key_is_reported(arp: str, agent: str, expected: str) -> None:
    with pytest.raises(InvalidSiteFile) as refused:
        parse(_file(arp, agent), "site.yaml")
    assert any(expected in str(error) for error in refused.value.errors), refused.value.errors
