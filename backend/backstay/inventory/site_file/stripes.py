"""Stripes and return paths of the site file's policies: checks and stored form."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from backstay.inventory.site_file.schema import NodeItem, PolicyItem

At = tuple[str | int, ...]
"""Position of an error in the file: keys and indexes."""


def stripes(policy: PolicyItem, at: At, nodes: Mapping[str, NodeItem]) -> Iterator[tuple[At, str]]:
    """Errors of a stripe; `nodes` are the file's, by name."""
    stripe = policy.stripe
    if stripe is None:
        return
    many = len(policy.gateways)
    if many < 2:
        yield (*at, "gateways"), "at least two gateways, for a stripe"
    if stripe.backups > many - 1:
        yield (*at, "stripe", "backups"), f"at most {max(many - 1, 0)}, the number of other gateways"
    for name in stripe.weights:
        if name not in policy.gateways:
            yield (*at, "stripe", "weights", name), "one of the policy's gateways"
    label = stripe.by_label
    if label and not any(label in node.labels for node in nodes.values()):
        yield (*at, "stripe", "by_label"), "a label of a node in this file"


def return_paths(policy: PolicyItem, at: At, nodes: Collection[str]) -> Iterator[tuple[At, str]]:
    """Errors of a return path; `nodes` are the file's node names."""
    back = policy.return_path
    if back is None:
        return
    for number, name in enumerate(back.routers):
        path: At = (*at, "return_path", "routers", number)
        if name not in nodes:
            yield path, "the name of a node of this file"
        elif name in policy.gateways:
            yield path, f"a router behind the gateways, not {name}, which is one of them"
    if back.prefix.version != policy.prefix.version:
        yield (*at, "return_path", "prefix"), f"an IPv{policy.prefix.version} network, like the prefix"
    if back.target is not None and back.target not in back.prefix:
        yield (*at, "return_path", "target"), f"an address inside {back.prefix}"


def stripe_column(policy: PolicyItem) -> dict[str, Any] | None:
    """The value of `FailoverPolicy.stripe`."""
    if policy.stripe is None:
        return None
    return {"gateways": list(policy.gateways), **policy.stripe.model_dump()}


def return_column(policy: PolicyItem) -> dict[str, Any] | None:
    """The value of `FailoverPolicy.return_path`."""
    back = policy.return_path
    if back is None:
        return None
    target = None if back.target is None else str(back.target)
    return {"routers": list(back.routers), "prefix": str(back.prefix), "target": target}
