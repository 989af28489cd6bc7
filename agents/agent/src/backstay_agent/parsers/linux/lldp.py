"""Neighbours as lldpd prints them: `lldpctl -f json` and `-f json0` (lldpcli(8)). Pure.

`json` names ports and neighbours by keys, and has an object instead of a list where there is one port only;
`json0` always has lists. An entry that is not understood is set aside, the others are kept.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from backstay_agent.parsers import text
from backstay_wire import Adjacency

_NAMED = ("ifname", "ifalias")
"""Types of a port's identity that are the names operators use for the port (IEEE 802.1AB)."""
_LONGEST = 256
MOST = 4096


class LldpError(ValueError):
    """The text is not lldpctl's JSON: cut off, or of another program."""


def neighbours(output: str) -> tuple[list[Adjacency], list[str]]:
    """The neighbour of each port, and the entries that are not understood. Raises LldpError."""
    try:
        document = json.loads(output)
    except (ValueError, RecursionError) as error:
        raise LldpError(f"not JSON, or cut off: {error}") from error
    if not isinstance(document, dict) or "lldp" not in document:
        raise LldpError("no lldp in the document")
    found: list[Adjacency] = []
    unparsed: list[str] = []
    for port, entry in _entries(_one(document["lldp"]).get("interface", [])):
        try:
            found.append(_adjacency(port, entry))
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            unparsed.append(text.text(f"neighbour of {port}: {type(error).__name__} {error}"))
    return found[:MOST], unparsed


def _one(value: Any) -> Mapping[str, Any]:
    """The object, or the first one of a list."""
    first = value[0] if isinstance(value, list) and value else value
    return first if isinstance(first, dict) else {}


def _entries(interfaces: Any) -> Iterator[tuple[str, Any]]:
    for one in interfaces if isinstance(interfaces, list) else [interfaces]:
        if not isinstance(one, dict):
            yield "?", one
        elif "chassis" in one and "name" in one:
            yield str(one["name"]), one
        else:
            yield from one.items()


def _adjacency(port: str, entry: Any) -> Adjacency:
    """Raises ValueError for an entry without any identity, and the errors of odd shapes."""
    name, chassis = _chassis(_one(entry["chassis"]))
    kind, identity = _identity(chassis)
    peer_port = _one(entry["port"])
    port_kind, port_identity = _identity(peer_port)
    described = _value(peer_port.get("descr", ""))
    if not name and not identity:
        raise ValueError("neither a name nor an identity")
    return Adjacency(
        port=text.name(port),
        peer_name=name,
        peer_id=identity.lower() if kind == "mac" else identity,
        peer_port=port_identity if port_kind in _NAMED else described or port_identity,
    )


def _chassis(chassis: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """The system's name and its facts; a neighbour without a name has its facts in place of the name."""
    own = chassis.get("id")
    if isinstance(own, list) or (isinstance(own, dict) and "type" in own):
        return _value(chassis.get("name", "")), chassis
    ((name, facts),) = chassis.items()
    return text.text(name)[:_LONGEST], facts


def _identity(facts: Mapping[str, Any]) -> tuple[str, str]:
    """Type and value of an identity; both "" if absent."""
    identity = _one(facts.get("id", {}))
    return str(identity.get("type", "")), _value(identity.get("value", ""))


def _value(value: Any) -> str:
    """A text, or the `value` of json0."""
    if isinstance(value, list):
        value = _one(value).get("value", "")
    return text.text(value if isinstance(value, str) else str(value))[:_LONGEST]
