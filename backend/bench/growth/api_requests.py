"""The GET operations of the public API, each with parameters that exist at the site."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import quote, urlencode

from django.test import Client

from backstay.api.public import api
from backstay.inventory.models import Node
from backstay.rollout.models import Application
from bench.fuzz import existing_values
from bench.fuzz.existing_values import Known
from bench.growth.cpu import Meter
from bench.growth.site_blueprint import SITE, TARGET

Kind = Literal["page", "object", "whole"]
"""A page of a list, one object, or a document about the whole site."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One request; `url` is empty if the site has no object for it."""

    name: str
    kind: Kind
    url: str


def operations(client: Client) -> list[Operation]:
    """Of the whole document, but for the live stream."""

    def get(path: str) -> Any:
        reply = client.get(path)
        return reply.json() if reply.status_code == 200 else None

    known = existing_values.read(get, SITE)
    known.values["node_id"] = list(
        Application.objects.order_by("node_id").values_list("node_id", flat=True)[:1]
    )
    known.values["metric"], known.values["address"] = ["host.processor_load"], [TARGET]
    known.values["fabric"], known.values["q"] = ["lan"], [TARGET]
    ends = Node.objects.filter(site__name=SITE, kind="host").order_by("pk").values_list("name", flat=True)
    known.values["source"], known.values["destination"] = list(ends[:1]), list(ends.reverse()[:1])
    return [*_listed(known)]


def _listed(known: Known) -> Iterator[Operation]:
    for path, methods in api.get_openapi_schema()["paths"].items():
        if "get" in methods and not path.endswith("/live"):
            yield _operation(path, methods["get"], known)


def _operation(path: str, document: dict[str, Any], known: Known) -> Operation:
    url, query = path, dict[str, Any]()
    for parameter in document.get("parameters", ()):
        name = parameter["name"]
        if parameter["in"] == "path":
            value = _chosen(known.of_path(path, name))
            url = "" if value is None or not url else url.replace(f"{{{name}}}", quote(str(value)))
        elif name == "site" or parameter.get("required"):
            value = SITE if name == "site" else _chosen(known.values.get(name, []))
            query[name] = value
            url = "" if value is None else url
    names = {parameter["name"] for parameter in document.get("parameters", ())}
    kind: Kind = "page" if "cursor" in names else "object" if "{" in path else "whole"
    return Operation(document["operationId"], kind, f"{url}?{urlencode(query)}" if url else "")


def _chosen(values: Sequence[Any]) -> Any:
    """The last of those listed first: the first nodes by name are gateways."""
    return values[-1] if values else None


@dataclass(frozen=True, slots=True)
class Request:
    """Processor seconds of the first call and of an identical one with its ETag; None: over the limit."""

    first: float | None
    again: float | None
    octets: int


def measure(client: Client, meter: Meter, operation: Operation) -> Request | str:
    """The cost of one operation, after a call that fills the caches; text: why there is none."""
    if not operation.url:
        return "no such object"
    replies: list[Any] = []
    meter.once(lambda: replies.append(client.get(operation.url)), meter.limit_s)
    if not replies:
        return Request(None, None, 0)
    (reply,) = replies
    if reply.status_code != 200:
        return f"status {reply.status_code}"
    first = meter.repeated(lambda: client.get(operation.url))
    tag = reply.headers.get("ETag", "")
    again = meter.repeated(lambda: client.get(operation.url, headers={"If-None-Match": tag}))
    return Request(first, again, len(reply.content))
