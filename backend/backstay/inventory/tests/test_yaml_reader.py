"""The reader of events gives the values, lines and errors of PyYAML's composed graph."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from yaml.constructor import SafeConstructor

from backstay.inventory.site_file import yaml_reader
from backstay.inventory.site_file.errors import InvalidSiteFile
from backstay.inventory.site_file.reader import read

PIECES = (
    *("a: ", "b: ", "nodes:", "- ", "-\n", "{", "}", "[", "]", ", ", ": ", "\n", "\n  ", "\n    ", " "),
    *('"x y"', "'it''s'", '"\\u00e9\\n"', "on", "1.5", "0x1f", "1e3", "~", "2026-02-30", "12:30", "=", "<<"),
    *("|\n", ">-\n", "# note\n", "---\n", "...\n", "&a ", "*a", "!!str ", "x", "é", "\t", "? ", "name: n1"),
)


def composed(text: str) -> Any:
    """The values by PyYAML's own composer and constructor."""
    loader = yaml.CSafeLoader(text)
    try:
        return _value(loader.get_single_node())
    finally:
        loader.dispose()


def _value(node: yaml.Node | None) -> Any:
    if node is None:
        return None
    if isinstance(node, yaml.SequenceNode):
        return [_value(item) for item in node.value]
    if isinstance(node, yaml.MappingNode):
        keys = [str(key.value) for key, _ in node.value]
        if len(set(keys)) != len(keys):
            raise ValueError("a key twice")
        return {str(key.value): _value(value) for key, value in node.value}
    return SafeConstructor().construct_object(node)


@given(st.lists(st.sampled_from(PIECES), max_size=24).map("".join))
@settings(max_examples=600)
def test_values_are_those_of_the_composed_graph(text: str) -> None:
    try:
        events = list(yaml.parse(text, Loader=yaml.CSafeLoader))
        special = any(
            isinstance(event, yaml.AliasEvent)
            or getattr(event, "anchor", None)
            or getattr(event, "tag", None)
            for event in events
        )
        keys = [key for node in [yaml.compose(text, Loader=yaml.CSafeLoader)] for key in _keys(node)]
        expected = (
            None if special or not all(isinstance(key, yaml.ScalarNode) for key in keys) else composed(text)
        )
        fails = special
    except (yaml.YAMLError, ValueError):
        expected, fails, keys = None, True, []
    if keys and not all(isinstance(key, yaml.ScalarNode) for key in keys):
        return  # Such a key is unknown in any case.
    try:
        found, _ = yaml_reader.read(text)
    except (yaml.YAMLError, yaml_reader.InvalidYamlError):
        assert fails, text
        return
    assert not fails, text
    assert repr(found) == repr(expected)


def _keys(node: yaml.Node | None) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [one for key, value in node.value for one in (key, *_keys(key), *_keys(value))]
    return [one for item in node.value for one in _keys(item)] if isinstance(node, yaml.SequenceNode) else []


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("a: 1\na: 2\n", 2, "each key once"),
        ("a: 1\nb: 2026-02-30\n", 2, "YAML (day is out of range for month)"),
        ("a: 2026-02-30\nb: 1\nb: 2\n", 1, "YAML (day is out of range for month)"),
        ("a: 1\na: 2\nb: [\n", 4, "YAML ("),
        ("a: 1\na: 2\nb: *x\n", 3, "no YAML anchors or aliases"),
        ("a: 1\na: 2\nb: !x y\n", 3, "no YAML tags, not !x"),
        ("a: 1\n---\nb: 1\n", 2, "YAML (but found another document)"),
        ("a: 1\na: 2\n---\nb: 1\n", 3, "YAML (but found another document)"),
        ("[" * 13 + "]" * 13, 1, "at most 12 levels"),
        ("- a\n", 1, "a mapping that begins"),
        ("", 1, "a mapping that begins"),
    ],
)
def test_first_problem_is_reported_with_its_line(text: str, line: int, expected: str) -> None:
    with pytest.raises(InvalidSiteFile) as refused:
        read(text, "lab.yaml")
    (error,) = refused.value.errors
    assert error.line == line
    assert error.expected.startswith(expected)


def test_lines_are_those_of_keys_and_items() -> None:
    located = read("site: a\nnodes:\n  - name: x\n    ports:\n      - {name: p}\n", "lab.yaml")
    at = located.lines
    assert at["nodes", 0, "ports", 0, "name"] == 5
    assert at["nodes", 0, "ports"] == 4
    assert at["nodes", 0] == 3
    assert at["nodes",] == 2
