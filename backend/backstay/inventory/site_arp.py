"""The site file's `arp` key: where a node keeps its ARP settings, if Backstay may change them."""

from __future__ import annotations

from backstay.inventory.site_sources import FilePath
from backstay.inventory.site_types import Item


class ArpItem(Item):
    """`arp: {}` means these files: an `ip -batch` text and a sysctl.d(5) text that the host reads at boot."""

    config: FilePath = "/etc/backstay/arp"
    settings: FilePath = "/etc/sysctl.d/60-backstay-arp.conf"
