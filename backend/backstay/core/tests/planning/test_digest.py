"""Digests are those of the JSON encoder: a stored plan is stale only if one of its inputs has changed."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, fields, is_dataclass
from enum import IntEnum, StrEnum
from ipaddress import ip_address, ip_network
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from backstay.core.planning.digest import digest


class Kind(StrEnum):
    ONE = "one \u00e9"


class Level(IntEnum):
    HIGH = 3


@dataclass(frozen=True)
class Inner:
    name: object
    parts: object


@dataclass(frozen=True, slots=True)
class Outer:
    inner: object
    table: object


def keyed(value: Any) -> Any:
    if isinstance(value, dict) and any(isinstance(key, tuple) for key in value):
        pairs = [[json.dumps(key, default=str), keyed(item)] for key, item in value.items()]
        return sorted(pairs, key=lambda pair: str(pair[0]))
    return value


def plain(value: Any) -> Any:
    if is_dataclass(value):
        return [keyed(getattr(value, field.name)) for field in fields(value)]
    return sorted(str(item) for item in value) if isinstance(value, frozenset | set) else str(value)


def encoded(value: Any) -> str:
    """By the encoder of the standard library."""
    text = json.dumps(keyed(value), default=plain, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from([Kind.ONE, Level.HIGH, ip_address("10.0.0.1"), ip_network("10.0.0.0/8"), "\ud800"]),
    st.frozensets(st.integers(0, 5)),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.dictionaries(st.one_of(st.text(max_size=3), st.sampled_from(list(Kind))), inner, max_size=4),
        st.dictionaries(st.one_of(st.integers(), st.booleans()), inner, max_size=4),
        st.builds(Inner, inner, inner),
        st.builds(lambda one: (one, one), st.builds(Inner, inner, inner)),
        st.builds(
            Outer,
            inner,
            st.dictionaries(st.tuples(st.integers(0, 3), st.text(max_size=2)), inner, max_size=3),
        ),
    ),
    max_leaves=25,
)


@given(VALUES)
def test_digest_is_that_of_the_json_encoder(value: object) -> None:
    assert digest(value) == encoded(value)


def test_a_shared_object_counts_each_time() -> None:
    one = Inner("a", (1, 2))
    assert digest([one, one]) == encoded([Inner("a", (1, 2)), Inner("a", (1, 2))])
    assert digest([one, one]) != digest([one])
