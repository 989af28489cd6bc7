"""The site file as a whole: text -> `SiteFile`, or every error in it at once.

Each item is validated by itself and the cross checks run over the valid ones, so that no error hides another.
Nothing is stored here; `importer.py` does that.
"""

from __future__ import annotations

import difflib
from typing import TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from backstay.inventory.site_file.checks import cross_check
from backstay.inventory.site_file.circuits import CircuitItem, ShapeItem
from backstay.inventory.site_file.errors import InvalidSiteFile, Path, SiteFileError
from backstay.inventory.site_file.reader import Located, read
from backstay.inventory.site_file.rules import MetricLimitItem, RuleItem
from backstay.inventory.site_file.schema import (
    FabricItem,
    LinkItem,
    NodeItem,
    PolicyItem,
    SharedRiskItem,
    SiteItem,
)
from backstay.inventory.site_file.types import Item
from backstay.inventory.site_file.values import PolicyIntent, SiteFile

__all__ = ["PolicyIntent", "SiteFile", "parse"]

ItemT = TypeVar("ItemT", bound=Item)


def parse(text: str, file: str) -> SiteFile:
    """Parse a site file; InvalidSiteFile with all errors."""
    located = read(text, file)
    errors: list[SiteFileError] = []
    try:
        head = SiteItem.model_validate(located.value)
    except ValidationError as problem:
        errors += [_error(located, (), error, SiteItem) for error in problem.errors()]
        assert isinstance(located.value, dict)
        head = _rest_of(located.value)
    site = SiteFile(located, head)
    site.fabrics = _items(located, "fabrics", head.fabrics, FabricItem, errors)
    site.nodes = _items(located, "nodes", head.nodes, NodeItem, errors)
    site.links = _items(located, "links", head.links, LinkItem, errors)
    site.policies = _items(located, "failover_policies", head.failover_policies, PolicyItem, errors)
    site.shapes = _items(located, "traffic_shapes", head.traffic_shapes, ShapeItem, errors)
    site.circuits = _items(located, "circuits", head.circuits, CircuitItem, errors)
    site.shared_risks = _items(located, "shared_risks", head.shared_risks, SharedRiskItem, errors)
    site.rules = _items(located, "rules", head.rules, RuleItem, errors)
    site.metric_limits = _items(located, "metric_limits", head.metric_limits, MetricLimitItem, errors)
    errors += cross_check(site)
    if errors:
        raise InvalidSiteFile(errors)
    return site


def _rest_of(value: dict[str, object]) -> SiteItem:
    """The lists of a file with an invalid head, so that their errors are reported too."""

    def items(key: str) -> list[object]:
        found = value.get(key)
        return found if isinstance(found, list) else []

    return SiteItem.model_construct(
        site="",
        fabrics=items("fabrics"),
        nodes=items("nodes"),
        links=items("links"),
        failover_policies=items("failover_policies"),
        traffic_shapes=items("traffic_shapes"),
        circuits=items("circuits"),
        shared_risks=items("shared_risks"),
        rules=items("rules"),
        metric_limits=items("metric_limits"),
    )


def _items(
    located: Located, key: str, values: list[object], model: type[ItemT], errors: list[SiteFileError]
) -> dict[int, ItemT]:
    good: dict[int, ItemT] = {}
    for index, value in enumerate(values):
        try:
            good[index] = model.model_validate(value)
        except ValidationError as problem:
            errors += [_error(located, (key, index), error, model) for error in problem.errors()]
    return good


def _error(located: Located, at: Path, error: ErrorDetails, model: type[Item]) -> SiteFileError:
    """Convert a validation error; union tags in its location are not keys of the file."""
    path = at
    for step in error["loc"]:
        if (*path, step) in located.lines or (error["type"] == "missing" and step == error["loc"][-1]):
            path = (*path, step)
    return located.error(path, _expected(error, model))


_EXPECTED: dict[str, str] = {
    "expected": "{expected}",
    "missing": "this required key",
    "union_tag_not_found": "the key {discriminator}",
    "union_tag_invalid": "one of {expected_tags}",
    "literal_error": "{expected}",
    "string_type": "text; put it in quotes",
    "string_pattern_mismatch": "text that matches {pattern}",
    "too_short": "at least {min_length} characters or items",
}
"""Texts for pydantic's error types, formatted with the error's context."""


def _expected(error: ErrorDetails, model: type[Item]) -> str:
    if error["type"] == "extra_forbidden":
        return _known_key(str(error["loc"][-1]), model)
    template = _EXPECTED.get(error["type"])
    if template is None:
        return error["msg"].removeprefix("Input should be ").removeprefix("Value should ")
    return template.format_map(error.get("ctx", {}))


def _known_key(key: str, model: type[Item]) -> str:
    near = difflib.get_close_matches(key, model.model_fields, 1)
    return f"a known key; did you mean {near[0]}?" if near else "a known key: see docs/site-file.md"
