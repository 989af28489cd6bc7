"""Labels of nodes that have a meaning; all others are the site's own words."""

from __future__ import annotations

from collections.abc import Mapping

NEIGHBOUR_CAPACITY = "neighbour_capacity"
"""Entries that the node's ARP and IPv6 neighbour tables can hold, where the device does not report it."""
NODE_LABEL_TITLES: Mapping[str, str] = {NEIGHBOUR_CAPACITY: "neighbour table capacity"}
"""As pages show them."""
