"""The lists of the API by their path, with their query parameters; `api.public` registers them."""

import inspect
from collections.abc import Iterable
from typing import Any, get_type_hints

from ninja import Router
from pydantic import ValidationError

from backstay.api.http.list_query import ListQuery
from backstay.core.errors import Refused

_LISTS: dict[str, type[ListQuery]] = {}
_OF_A_REQUEST = frozenset({"site", "limit", "cursor", "sort"})
"""Parameters that belong to one request, not to what it selects."""


def register_lists(routers: Iterable[Router]) -> None:
    """Register the operations of these routers that take a `ListQuery`, such as `links`."""
    _LISTS.update(
        (path.strip("/"), model)
        for router in routers
        for path, view in router.path_operations.items()
        for operation in view.operations
        if "GET" in operation.methods and (model := _query_of(operation.view_func)) is not None
    )


def _query_of(view: Any) -> type[ListQuery] | None:
    model = get_type_hints(inspect.unwrap(view)).get("query")
    return model if isinstance(model, type) and issubclass(model, ListQuery) else None


def check_filters(name: str, filters: dict[str, str]) -> None:
    """Raise Refused unless the list exists and accepts these query parameters."""
    model = _LISTS.get(name)
    if model is None:
        expected = "expected the path of a list, such as links"
        raise Refused(f"There is no list {name!r}: {expected}.", fields={"list_name": expected})
    known = set(model.model_fields) - _OF_A_REQUEST
    expected = f"expected one of {', '.join(sorted(known))}"
    wrong = {f"filters.{key}": expected for key in filters if key not in known}
    wrong = wrong or _wrong_values(model, filters)
    if wrong:
        raise Refused(f"The list {name} does not accept these filters.", fields=wrong)


def _wrong_values(model: type[ListQuery], filters: dict[str, str]) -> dict[str, str]:
    try:
        model.model_validate(filters)
    except ValidationError as problem:
        return {f"filters.{error['loc'][0]}": error["msg"] for error in problem.errors() if error["loc"]}
    return {}
