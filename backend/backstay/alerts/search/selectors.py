"""Search over every object of a site: by words, typing errors tolerated, by address and by hardware address.

Objects of a kind that match the words are read up to `CANDIDATES`, those with exactly the typed name first,
and ranked among themselves: the cost is bounded however many objects contain a short text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_interface
from typing import Any

from backstay.alerts.rules import RULES
from backstay.core.search_text import SearchText
from backstay.inventory.models import Site
from backstay.inventory.sql import fetch_rows
from backstay.throughput.papers.load import reference_runs

CANDIDATES = 300
"""Of one kind, before ranking."""
LEAST_SIMILARITY = 0.4
"""pg_trgm's share of common trigrams: `atmgv` and `atmgw` have 0.5."""


@dataclass(frozen=True, slots=True)
class Found:
    """An object that matches."""

    kind: str
    id: int | str
    """Of a rule its kind, of a paper's table its name in addresses."""
    name: str
    detail: str
    why: str
    """Why it matched: `name`, `similar name`, `address 10.1.0.7/24`."""


_TABLES: dict[str, tuple[str, str, str, str, str]] = {
    "node": (
        "inventory_node AS o",
        "o.site_id",
        "o.name",
        "o.kind || ' ' || o.title",
        "o.name || ' ' || o.title",
    ),
    "link": ("inventory_link AS o", "o.site_id", "o.label", "o.circuit", "o.label || ' ' || o.circuit"),
    "fabric": (
        "inventory_fabric AS o",
        "o.site_id",
        "o.name",
        "o.kind || ' ' || o.title",
        "o.name || ' ' || o.title",
    ),
    "circuit": ("inventory_circuit AS o", "o.site_id", "o.name", "o.note", "o.name || ' ' || o.note"),
    "policy": (
        "policy_failoverpolicy AS o",
        "o.site_id",
        "o.name",
        "o.prefix",
        "o.name || ' ' || o.prefix || ' ' || o.note",
    ),
    "change": (
        "rollout_change AS o",
        "o.site_id",
        "'#' || o.id || ' ' || o.title",
        "o.state",
        "'#' || o.id || ' ' || o.title || ' ' || o.ticket",
    ),
    "drill": (
        "rollout_drill AS o JOIN policy_failoverpolicy AS p ON p.id = o.policy_id",
        "p.site_id",
        "'#' || o.id || ' ' || p.name",
        "o.state",
        "'#' || o.id || ' ' || p.name || ' ' || o.reason",
    ),
    "incident": (
        "alerts_incident AS o",
        "o.site_id",
        "o.title",
        "o.phase",
        "'#' || o.id || ' ' || o.title || ' ' || o.subject",
    ),
    "test plan": (
        "(SELECT * FROM throughput_testplan WHERE removed_at IS NULL) AS o",
        "o.site_id",
        "o.name",
        "o.note",
        "o.name || ' ' || o.note",
    ),
    "window": (
        "alerts_maintenancewindow AS o",
        "o.site_id",
        "o.name",
        "o.reason",
        "o.name || ' ' || o.reason",
    ),
    "channel": ("alerts_channel AS o", "o.site_id", "o.name", "o.kind", "o.name || ' ' || o.kind"),
    "schedule": ("alerts_schedule AS o", "o.site_id", "o.name", "o.zone", "o.name"),
}
"""Kind -> tables, site, name, detail, and the text that contains the words."""
NEWEST_FIRST = {"change", "drill", "incident"}
_TEXTS = """
(SELECT '{kind}' AS kind, known.id, known.name, known.detail,
    CASE WHEN lower(known.name) = %(text)s THEN 0 WHEN starts_with(lower(known.name), %(text)s) THEN 1
        WHEN strpos(lower(known.name), %(text)s) > 0 THEN 2 ELSE 3 END AS rank
FROM ((SELECT o.id, {name} AS name, {detail} AS detail FROM {tables}
        WHERE {site} = %(site)s AND {name} = ANY(%(exact)s) LIMIT %(limit)s)
    UNION (SELECT o.id, {name}, {detail} FROM {tables}
        WHERE {site} = %(site)s AND {words}{newest} LIMIT %(candidates)s)) AS known
ORDER BY rank, {order}, known.id LIMIT %(limit)s)
"""
_PORTS = """
(SELECT 'port', known.id, known.name, known.detail,
    CASE WHEN lower(known.name) = %(text)s THEN 0 WHEN starts_with(lower(known.name), %(text)s) THEN 1
        ELSE 2 END AS rank
FROM (SELECT p.id, n.name || ':' || p.name AS name, coalesce(f.name, '') AS detail
    FROM inventory_port AS p JOIN inventory_node AS n ON n.id = p.node_id
    LEFT JOIN inventory_fabric AS f ON f.id = p.fabric_id
    WHERE n.site_id = %(site)s AND {words} LIMIT %(candidates)s) AS known
ORDER BY rank, known.name COLLATE natural_order, known.id LIMIT %(limit)s)
"""
_NODES = "SELECT n.id FROM inventory_node AS n WHERE n.site_id = %(site)s AND ({words})"
_SIMILAR = """
(SELECT '{kind}' AS kind, o.id, {name} AS name, {detail} AS detail, similarity({name}, %(text)s) AS rank
FROM {tables} WHERE {site} = %(site)s AND similarity({name}, %(text)s) >= %(least)s
ORDER BY rank DESC, {name} LIMIT %(limit)s)
"""
FUZZY = ("node", "fabric", "circuit", "policy", "test plan", "window", "channel", "schedule")
_PORTS_AT = """
SELECT 'port', p.id, n.name || ':' || p.name, coalesce(f.name, ''),
    p.addresses || coalesce(s.addresses, '{{}}')
FROM (SELECT p.id FROM inventory_port AS p JOIN inventory_node AS n ON n.id = p.node_id
        WHERE n.site_id = %(site)s AND {declared}
    UNION SELECT p.id FROM telemetry_portstate AS s JOIN inventory_port AS p ON p.id = s.port_id
        JOIN inventory_node AS n ON n.id = p.node_id WHERE n.site_id = %(site)s AND {reported}
    LIMIT %(most)s) AS known
JOIN inventory_port AS p ON p.id = known.id JOIN inventory_node AS n ON n.id = p.node_id
LEFT JOIN telemetry_portstate AS s ON s.port_id = p.id
LEFT JOIN inventory_fabric AS f ON f.id = p.fabric_id
ORDER BY n.name COLLATE natural_order, p.id
"""
_EXACTLY = "{row}.addresses && %(written)s::varchar[]"
_STARTING = "' ' || array_to_string({row}.addresses, ' ') LIKE ANY(%(starts)s)"
MOST_PORTS = 2000
"""With addresses of one prefix, before they are compared with it."""
_NEIGHBOURS = """
SELECT 'neighbour', max(known.id), host(known.address), known.mac,
    string_agg(n.name || ':' || known.port, ', ' ORDER BY n.name, known.port)
FROM (SELECT * FROM telemetry_neighbour WHERE {where} LIMIT %(candidates)s) AS known
JOIN inventory_node AS n ON n.id = known.node_id AND n.site_id = %(site)s
GROUP BY known.address, known.mac ORDER BY known.address, known.mac LIMIT %(limit)s
"""
_PORTS_WITH_MAC = """
SELECT 'port', p.id, n.name || ':' || p.name, coalesce(f.name, ''), s.mac
FROM telemetry_portstate AS s JOIN inventory_port AS p ON p.id = s.port_id
JOIN inventory_node AS n ON n.id = p.node_id AND n.site_id = %(site)s
LEFT JOIN inventory_fabric AS f ON f.id = p.fabric_id
WHERE s.mac LIKE %(mac)s ORDER BY n.name COLLATE natural_order, p.id LIMIT %(limit)s
"""


def search(site: Site, wanted: SearchText, limit: int) -> list[Found]:
    """At most `limit` objects of each kind; similar names only where no object contains the words."""
    known: dict[str, Any] = {"site": site.pk, "limit": limit, "candidates": CANDIDATES}
    found: list[Found] = []
    if wanted.network is not None:
        found += _with_address(known, wanted.network, limit)
    if wanted.mac:
        found += _with_mac(known, wanted.mac)
    if wanted.terms:
        found += _with_terms(known, wanted) or (_similar(known, wanted) if not found else [])
    return list(_first_of_each_kind(_once(found), limit))


def _once(found: Iterable[Found]) -> list[Found]:
    """A port found by address and by words is shown once, for the first reason."""
    return list({(item.kind, item.id): item for item in reversed(list(found))}.values())[::-1]


def _first_of_each_kind(found: Iterable[Found], limit: int) -> Iterator[Found]:
    """Ports found by hardware address and by words together are no more than of any other kind."""
    counts = Counter[str]()
    for item in found:
        counts[item.kind] += 1
        if counts[item.kind] <= limit:
            yield item


def _with_terms(known: dict[str, Any], wanted: SearchText) -> list[Found]:
    parameters = known | {
        "text": wanted.text.casefold(),
        "exact": [wanted.text, wanted.text.lower(), wanted.text.upper()],
    }
    parameters |= {f"term{at}": f"%{_escaped(term)}%" for at, term in enumerate(wanted.terms)}
    places = range(len(wanted.terms))
    parts = [
        _TEXTS.format(
            kind=kind,
            tables=tables,
            site=site,
            name=name,
            detail=detail,
            words=" AND ".join(f"({text}) ILIKE %(term{at})s" for at in places),
            newest=" ORDER BY o.id DESC" if kind in NEWEST_FIRST else "",
            order="known.id DESC" if kind in NEWEST_FIRST else "known.name COLLATE natural_order",
        )
        for kind, (tables, site, name, detail, text) in _TABLES.items()
    ]
    rows = fetch_rows(" UNION ALL ".join(parts), parameters) + _ports(parameters, places)
    rules = [
        Found("rule", kind, kind, rule.title, "name")
        for kind, rule in RULES.items()
        if _contains(f"{kind} {rule.title}", wanted)
    ]
    ranked = sorted(rows, key=lambda row: row[4])
    found = [Found(row[0], row[1], row[2], row[3], "name" if row[4] < 3 else "text") for row in ranked]
    papers = [
        Found("paper", run.ident, run.key, f"{run.paper.title}, {run.table.figure}", "name")
        for run in reference_runs()
        if _contains(f"{run.key} {run.paper.title} {run.table.figure}", wanted)
    ]
    return found + rules[: known["limit"]] + papers[: known["limit"]]


def _contains(text: str, wanted: SearchText) -> bool:
    return all(term in text.casefold() for term in wanted.terms)


def _ports(parameters: dict[str, Any], places: range) -> list[tuple[Any, ...]]:
    """Ports whose own name has the words, else those whose node has some: two plans, each with an index."""
    own = " AND ".join(f"p.name ILIKE %(term{at})s" for at in places)
    node = " OR ".join(f"(n.name || ' ' || n.title) ILIKE %(term{at})s" for at in places)
    either = " AND ".join(f"(p.name ILIKE %(term{at})s OR n.name ILIKE %(term{at})s)" for at in places)
    chosen = f"n.id IN ({_NODES.format(words=node)}) AND {either}"
    both = f"{_PORTS.format(words=own)} UNION {_PORTS.format(words=chosen)} ORDER BY 5, 3 LIMIT %(limit)s"
    return fetch_rows(both, parameters)


def _escaped(term: str) -> str:
    """For LIKE."""
    return term.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")


def is_tolerant() -> bool:
    """Whether the database tolerates typing errors: it has the extension pg_trgm."""
    return bool(fetch_rows("SELECT FROM pg_extension WHERE extname = 'pg_trgm'", {}))


def _similar(known: dict[str, Any], wanted: SearchText) -> list[Found]:
    if len(wanted.text) < 3 or not is_tolerant():
        return []
    parts = [
        _SIMILAR.format(kind=kind, tables=tables, site=site, name=name, detail=detail)
        for kind, (tables, site, name, detail, _) in _TABLES.items()
        if kind in FUZZY
    ]
    parameters = known | {"text": wanted.text.casefold(), "least": LEAST_SIMILARITY}
    rows = sorted(fetch_rows(" UNION ALL ".join(parts), parameters), key=lambda row: -row[4])
    return [Found(row[0], row[1], row[2], row[3], "similar name") for row in rows]


def _with_address(known: dict[str, Any], network: IPv4Network | IPv6Network, limit: int) -> list[Found]:
    """Ports that have an address of the network, declared or reported, and who has it in neighbour tables."""
    parameters = known | _address_parameters(network)
    where = _EXACTLY if "written" in parameters else _STARTING
    statement = _PORTS_AT.format(declared=where.format(row="p"), reported=where.format(row="s"))
    rows = fetch_rows(statement, parameters | {"most": MOST_PORTS})
    ports = [
        Found(kind, ident, name, detail, f"address {has}")
        for kind, ident, name, detail, addresses in rows
        if (has := next((text for text in addresses if _is_in(text, network)), None))
    ]
    seen = fetch_rows(_NEIGHBOURS.format(where="address <<= %(network)s::inet"), parameters)
    return ports[:limit] + [_neighbour(row) for row in seen]


def _address_parameters(network: IPv4Network | IPv6Network) -> dict[str, Any]:
    """Of an address: all ways to write it with a length. Of a prefix: how its addresses start."""
    first = str(network.network_address)
    if network.prefixlen == network.max_prefixlen:
        lengths = range(network.max_prefixlen + 1)
        return {"network": str(network), "written": [first, *(f"{first}/{length}" for length in lengths)]}
    return {"network": str(network), "starts": [f"% {start}%" for start in _starts(network)]}


def _starts(network: IPv4Network | IPv6Network) -> list[str]:
    """`10.1.` for 10.1.0.0/16; exactly the prefix in IPv4, its whole groups of 16 bits in IPv6."""
    if isinstance(network, IPv4Network):
        whole = max(8, -(-network.prefixlen // 8) * 8)
        return [
            ".".join(str(part.network_address).split(".")[: whole // 8]) + ("." if whole < 32 else "/")
            for part in network.subnets(new_prefix=max(whole, network.prefixlen))
        ]
    groups = str(network.network_address).split("::")[0].split(":")[: network.prefixlen // 16]
    return ["".join(f"{group}:" for group in groups if group)]


def _is_in(text: str, network: IPv4Network | IPv6Network) -> bool:
    try:
        return ip_interface(text.partition("%")[0]).ip in network
    except ValueError:
        return False


def _neighbour(row: tuple[Any, ...]) -> Found:
    kind, ident, address, mac, tables = row
    return Found(kind, ident, address, mac or "not resolved", f"in the tables of {tables}")


def _with_mac(known: dict[str, Any], mac: str) -> list[Found]:
    parameters = known | {"mac": f"{mac}%"}
    ports = [
        Found(kind, ident, name, detail, f"hardware address {has}")
        for kind, ident, name, detail, has in fetch_rows(_PORTS_WITH_MAC, parameters)
    ]
    return ports + [
        _neighbour(row) for row in fetch_rows(_NEIGHBOURS.format(where="mac LIKE %(mac)s"), parameters)
    ]
