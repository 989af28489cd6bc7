"""YAML text -> plain values, from libyaml's events in one pass, without a graph of YAML nodes.

The values are those of PyYAML's safe loader; `lines` composes the graph, for the messages of invalid files.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import yaml
from yaml.composer import ComposerError
from yaml.constructor import ConstructorError, SafeConstructor
from yaml.resolver import Resolver

from backstay.inventory.site_file.errors import Path
from backstay.inventory.site_file.positions import NodePositions, block_positions, flow_positions

MAX_DEPTH = 12
_LONGEST_SHARED = 32
"""Characters of a plain scalar that is converted once for all its occurrences."""
# libyaml is part of PyYAML's wheels and reads ten times faster; a source build may lack it.
_Loader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_STRING = "tag:yaml.org,2002:str"


class InvalidYamlError(Exception):
    """What a site file may not contain: `line` (from 1), `key`, and what is expected there."""

    def __init__(self, line: int, key: str, expected: str) -> None:
        super().__init__(expected)
        self.line, self.key, self.expected = line, key, expected


def read(text: str) -> tuple[object, NodePositions | None]:
    """The value of the only document, and the positions of its nodes, if they are recognised.

    InvalidYamlError for aliases, anchors, tags, duplicate keys and deep nesting; yaml.YAMLError if malformed.
    """
    return _Builder(text).built()


def lines(text: str) -> dict[Path, int]:
    """Path -> line (from 1) of every value of a text that `read` accepts."""
    found: dict[Path, int] = {}
    root = yaml.compose(text, Loader=_Loader)
    if root is not None:
        _add_lines(root, (), found)
    return found


def _add_lines(node: yaml.Node, path: Path, found: dict[Path, int]) -> None:
    found.setdefault(path, node.start_mark.line + 1)
    if isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            _add_lines(item, (*path, index), found)
    elif isinstance(node, yaml.MappingNode):
        for key_node, value_node in node.value:
            below = (*path, str(key_node.value))
            found[below] = key_node.start_mark.line + 1
            _add_lines(value_node, below, found)


class _Builder:
    """Builds values from events. A problem of values is raised after the last event: malformed text and
    dangerous features are reported before it.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._resolver = Resolver()
        self._plain: dict[str, object] = {}
        self._problem: Exception | None = None
        self._root: yaml.CollectionStartEvent | None = None
        self._key: yaml.ScalarEvent | None = None
        """The key of the root mapping whose value is being read."""
        self._items: list[yaml.Event] | None = None
        """First event of each item of `nodes`."""
        self._list: yaml.SequenceStartEvent | None = None

    def built(self) -> tuple[object, NodePositions | None]:
        value: object = None
        documents: list[yaml.Event] = []
        events = _checked(yaml.parse(self._text, Loader=_Loader))
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents.append(event)
            elif len(documents) == 1 and not isinstance(
                event, yaml.StreamStartEvent | yaml.StreamEndEvent | yaml.DocumentEndEvent
            ):
                value = self._value(event, events, 0)
        if len(documents) > 1:
            expected = "expected a single document in the stream"
            raise ComposerError(
                expected, _mark(documents[0]), "but found another document", _mark(documents[1])
            )
        if self._problem is not None:
            raise self._problem
        return value, self._positions()

    def _value(self, event: yaml.Event, events: Iterator[yaml.Event], depth: int) -> object:
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event)
        if isinstance(event, yaml.MappingStartEvent):
            if depth == 0:
                self._root = event
            return self._mapping(events, depth)
        is_nodes = depth == 1 and self._key is not None and self._key.value == "nodes"
        return self._sequence(event, events, depth, is_nodes=is_nodes)

    def _mapping(self, events: Iterator[yaml.Event], depth: int) -> dict[str, object]:
        mapping: dict[str, object] = {}
        for event in events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            key = (
                event.value if isinstance(event, yaml.ScalarEvent) else self._value(event, events, depth + 1)
            )
            if not isinstance(key, str):
                key = str(key)
            if key in mapping and self._problem is None:
                self._problem = InvalidYamlError(_mark(event).line + 1, key, "each key once")
            if depth == 0:
                self._key = event if isinstance(event, yaml.ScalarEvent) else None
            mapping[key] = self._value(next(events), events, depth + 1)
        return mapping

    def _sequence(
        self, start: yaml.Event, events: Iterator[yaml.Event], depth: int, *, is_nodes: bool
    ) -> list[object]:
        if is_nodes and isinstance(start, yaml.SequenceStartEvent):
            self._list, self._items = start, []
        found: list[object] = []
        for event in events:
            if isinstance(event, yaml.SequenceEndEvent):
                break
            if is_nodes and self._items is not None:
                self._items.append(event)
            found.append(self._value(event, events, depth + 1))
        return found

    def _scalar(self, event: yaml.ScalarEvent) -> object:
        text: str = event.value
        if not event.implicit[0]:
            return text
        if text in self._plain:
            return self._plain[text]
        value = self._converted(text, event)
        if len(text) <= _LONGEST_SHARED:
            self._plain[text] = value
        return value

    def _converted(self, text: str, event: yaml.ScalarEvent) -> object:
        """A plain scalar by its resolved type; a problem is noted if it is invalid, such as day 32."""
        tag = self._resolver.resolve(yaml.ScalarNode, text, (True, False))  # type: ignore[no-untyped-call]
        if tag == _STRING:
            return text
        try:
            node = yaml.ScalarNode(tag, text, _mark(event), None)
            value: object = SafeConstructor().construct_object(node)
        except ValueError as problem:
            self._note(ConstructorError(None, None, str(problem), _mark(event)))
            return text
        except ConstructorError as problem:
            self._note(problem)
            return text
        return value

    def _note(self, problem: Exception) -> None:
        if self._problem is None:
            self._problem = problem

    def _positions(self) -> NodePositions | None:
        if self._root is None or self._list is None or not self._items:
            return None
        starts = [_mark(event).index for event in self._items]
        is_flow = bool(self._root.flow_style)
        if self._list.flow_style:
            return flow_positions(self._text, starts, is_flow=is_flow)
        return None if _mark(self._root).column else block_positions(self._text, starts)


def _mark(event: yaml.Event) -> yaml.error.Mark:
    """Where the event begins; libyaml's marks have the attributes of PyYAML's."""
    return cast(yaml.error.Mark, event.start_mark)


def _checked(events: Iterator[yaml.Event]) -> Iterator[yaml.Event]:
    """The events; InvalidYamlError at the first anchor, alias, tag or too deep level."""
    depth = 0
    for event in events:
        if isinstance(event, yaml.ScalarEvent) and not (event.anchor or event.tag):
            yield event
            continue
        line = _mark(event).line + 1 if event.start_mark else 0
        tag = getattr(event, "tag", None)
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise InvalidYamlError(line, "the file", "no YAML anchors or aliases")
        if tag:
            raise InvalidYamlError(line, "the file", f"no YAML tags, not {tag}")
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise InvalidYamlError(line, "the file", f"at most {MAX_DEPTH} levels")
        yield event
