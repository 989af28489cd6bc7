"""Compares the site file with the API's topology: completeness and live load. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from backstay_lab.verify.checks import CheckRow, CheckTable, compare_names

Answer = Mapping[str, Any]


def documented(site_file: Answer, topology: Answer, fabrics: Sequence[Answer]) -> CheckTable:
    """Search the site file's declarations in the API's responses."""
    nodes = {node["name"]: node for node in topology["nodes"] if node["kind"] != "fabric"}
    links = topology["links"]
    names = {node["key"]: node["name"] for node in topology["nodes"]}
    joined = {_pair(link, names) for link in links}
    rows: list[CheckRow] = [
        compare_names("nodes", (node["name"] for node in site_file["nodes"]), nodes),
        compare_names(
            "fabrics", (item["name"] for item in site_file["fabrics"]), (fabric["name"] for fabric in fabrics)
        ),
        compare_names("links between two ports", map(_declared, site_file["links"]), joined),
        compare_names(
            "ports that a link ends in", _attached(site_file), {end for pair in joined for end in pair}
        ),
        compare_names("nodes reporting", nodes, (name for name, node in nodes.items() if _is_reported(node))),
        compare_names(
            "links with live load",
            (link["name"] for link in links),
            (link["name"] for link in links if _live(link)),
        ),
    ]
    return CheckTable("What the site file documents", rows)


def _pair(link: Answer, names: Mapping[str, str]) -> frozenset[str]:
    source, target = names[link["source"]], names[link["target"]]
    ends = {f"{source}:{link['source_port']}"}
    return frozenset(ends | ({f"{target}:{link['target_port']}"} if link["target_port"] else set()))


def _declared(link: Answer) -> frozenset[str]:
    return frozenset({link["a"], link["b"]})


def _attached(site_file: Answer) -> Iterable[str]:
    """All ports on a fabric."""
    for node in site_file["nodes"]:
        for port in node["ports"]:
            if "fabric" in port:
                yield f"{node['name']}:{port['name']}"


def _is_reported(node: Answer) -> bool:
    return node["age_s"] is not None and node["state"] != "unknown"


def _live(link: Answer) -> bool:
    return any(load and load["fresh"] for load in (link["forward"], link["back"]))
