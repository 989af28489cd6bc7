"""The record of a site's last import: digests of its file, of the rows that it left, and of the program.

An import of an edited file is cut short (`site_edits`) only if all of them still hold. PostgreSQL digests the
rows, so any writer is noticed, also one that does not know of this: the next import then compares everything.
"""

from __future__ import annotations

import hashlib
import json
import platform
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pydantic
import yaml
from django.conf import settings
from django.db import connection

from backstay.accounts.keys import derived_keys
from backstay.inventory.models import ImportRecord, Site
from backstay.inventory.site_file.positions import Layout, NodePositions, TextDigests, digest

_PURPOSE = b"site file digests v1"
# Without undeclared ports: agents add these at any time, and an import adopts only those that the file names.
_TABLES = (
    "name, title, interval_s, rate_scale, second_person, wave_limit, retention FROM inventory_site"
    " WHERE id = %s",
    "id, name, title, kind, media_rate, usable_rate, mtu, arp FROM inventory_fabric WHERE site_id = %s",
    "id, name, title, kind, role, node_number, switch_node_number, guid, labels, watcher_id, sources,"
    " routing, arp, extension, md5(secrets) FROM inventory_node WHERE site_id = %s",
    "port.id, node_id, port.name, fabric_id, management, addresses FROM inventory_port AS port"
    " JOIN inventory_node AS node ON node.id = node_id WHERE site_id = %s AND declared",
    "id, a_id, b_id, fabric_id, circuit, declared FROM inventory_link WHERE site_id = %s",
    "id, name, kind, note, hops FROM inventory_circuit WHERE site_id = %s",
    "id, name, kind, note, hops FROM inventory_circuitversion WHERE site_id = %s AND until IS NULL",
    "policy FROM policy_failoverpolicy AS policy WHERE site_id = %s",
    'policy_id, node_id, "order" FROM policy_policygateway AS gateway'
    " JOIN policy_failoverpolicy AS policy ON policy.id = policy_id WHERE site_id = %s",
    "path.id, policy_id, node_id FROM policy_path AS path"
    " JOIN policy_failoverpolicy AS policy ON policy.id = policy_id WHERE site_id = %s",
    "rule FROM alerts_siterule AS rule WHERE site_id = %s",
    "part FROM alerts_ruleoverride AS part JOIN alerts_siterule AS rule ON rule.id = rule_id"
    " WHERE site_id = %s",
    "metric_limit FROM alerts_metriclimit AS metric_limit WHERE site_id = %s",
)
"""What an import compares: columns and rows of a site. Constants, which are put into the statement."""


@dataclass(frozen=True, slots=True)
class FileBefore:
    """The file of the last import."""

    digests: TextDigests
    names: tuple[str, ...]
    """Of its nodes, in order."""


def text_key() -> bytes:
    """The key of digests of text."""
    return derived_keys(_PURPOSE)[0]


def candidates(text: str) -> Iterator[ImportRecord]:
    """Records of files that begin like this text up to the first node, so with the same site."""
    key = text_key()
    known: dict[int, str] = {}
    for record in ImportRecord.objects.defer("digests", "state").filter(program=program_digest()):
        length = record.head_length
        if length not in known:
            known[length] = digest(text[:length], key)
        if known[length] == record.head:
            yield record


def load(record: ImportRecord) -> FileBefore:
    """The file that the record describes."""
    stored = json.loads(zlib.decompress(bytes(record.digests)))
    positions = NodePositions(Layout(**stored["layout"]), tuple(stored["starts"]))
    digests = TextDigests(positions, stored["length"], record.head, tuple(stored["nodes"]), stored["tail"])
    return FileBefore(digests, tuple(stored["names"]))


def store(site: Site, digests: TextDigests, names: Sequence[str], objects: int, state: str) -> None:
    """Record an import, in its transaction and after all that it wrote."""
    layout = digests.positions.layout
    stored = {
        "layout": {"is_block": layout.is_block, "indent": layout.indent, "in_braces": layout.in_braces},
        "starts": digests.positions.starts,
        "length": digests.length,
        "nodes": digests.nodes,
        "tail": digests.tail,
        "names": list(names),
    }
    ImportRecord.objects.update_or_create(
        site=site,
        defaults={
            "program": program_digest(),
            "state": state,
            "head_length": digests.positions.starts[0],
            "head": digests.head,
            "objects_count": objects,
            "digests": zlib.compress(json.dumps(stored).encode(), 1),
        },
    )


def forget(site: Site) -> None:
    """The next import reads everything."""
    ImportRecord.objects.filter(site=site).delete()


def state_digest(site: Site) -> str:
    """Count and sum of the hashes of the rows of each table that an import compares."""
    counts = (
        f"SELECT {place}, count(*), sum(hashtextextended(row({columns})::text, 0)) FROM {rows}"  # noqa: S608
        for place, (columns, _, rows) in enumerate(table.partition(" FROM ") for table in _TABLES)
    )
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(counts), [site.pk] * len(_TABLES))
        found = sorted(cursor.fetchall())
    return " ".join(f"{count}:{hashes or 0}" for _, count, hashes in found)


def program_digest() -> str:
    """Digest of all that decides how a text is read and stored besides the text and the rows."""
    keys = [hashlib.sha256(key).hexdigest() for key in derived_keys(_PURPOSE)]
    known = [_sources(), list(settings.SITE_PATHS), settings.ROLLUP_DAYS, settings.HOT_DAYS, keys]
    return hashlib.sha256(json.dumps(known, default=str).encode()).hexdigest()


@cache
def _sources() -> str:
    """Of the program's own files, and the versions of what reads the text."""
    found = hashlib.sha256(f"{platform.python_version()} {yaml.__version__} {pydantic.VERSION}".encode())
    for package in ("backstay", "backstay_wire"):
        spec = find_spec(package)
        assert spec is not None
        folder = Path(str(spec.origin)).parent
        for path in sorted(folder.rglob("*.py")):
            found.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()
