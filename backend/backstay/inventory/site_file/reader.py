"""YAML text -> plain values with line numbers; bounded, and without YAML's dangerous features.

Aliases ("billion laughs"), tags, duplicate keys and deep nesting are rejected before values are built.
Scalars follow YAML 1.1, as in PyYAML's safe loader.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import yaml
from yaml.constructor import ConstructorError, SafeConstructor

from backstay.inventory.site_file.errors import InvalidSiteFile, Path, SiteFileError

MAX_TEXT = 4_000_000
MAX_DEPTH = 12
# libyaml is part of PyYAML's wheels and reads ten times faster; a source build may lack it.
_Loader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass
class Located:
    """A file's values and the line of each."""

    file: str
    value: object = None
    lines: dict[Path, int] = field(default_factory=dict)

    def error(self, path: Path, expected: str) -> SiteFileError:
        """An error at a path; a missing key gets its mapping's line."""
        known = path
        while known and known not in self.lines:
            known = known[:-1]
        return SiteFileError(self.file, self.lines.get(known, 1), self.name_of(path), expected)

    def name_of(self, path: Path) -> str:
        """`nodes[sp01].ports[css0].fabric`: list items are identified by name if they have one."""
        text, value = "", self.value
        for step in path:
            value = _child(value, step)
            if isinstance(step, int):
                name = value.get("name") if isinstance(value, dict) else None
                text += f"[{name if isinstance(name, str) else step}]"
            else:
                text += f".{step}" if text else step
        return text or "the file"


def read(text: str, file: str) -> Located:
    """Read the file's values. InvalidSiteFile unless it is a YAML mapping within the bounds."""
    located = Located(file)
    if len(text) > MAX_TEXT:
        raise InvalidSiteFile([SiteFileError(file, 0, "the file", f"at most {MAX_TEXT:,} characters")])
    try:
        _refuse_danger(text, file)
        root = yaml.compose(text, Loader=_Loader)
        located.value = _built(root, (), located) if root else None
    except yaml.MarkedYAMLError as problem:  # Not chained: its text quotes the file, which holds secrets.
        raise InvalidSiteFile([_syntax(problem, file)]) from None
    except yaml.YAMLError as problem:
        expected = f"YAML text ({type(problem).__name__})"
        raise InvalidSiteFile([SiteFileError(file, 0, "the file", expected)]) from None
    if not isinstance(located.value, dict):
        raise InvalidSiteFile([SiteFileError(file, 1, "the file", "a mapping that begins with `site:`")])
    return located


def _refuse_danger(text: str, file: str) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        line = event.start_mark.line + 1 if event.start_mark else 0
        tag = getattr(event, "tag", None)
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise InvalidSiteFile([SiteFileError(file, line, "the file", "no YAML anchors or aliases")])
        if tag:
            raise InvalidSiteFile([SiteFileError(file, line, "the file", f"no YAML tags, not {tag}")])
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise InvalidSiteFile([SiteFileError(file, line, "the file", f"at most {MAX_DEPTH} levels")])


def _built(node: yaml.Node, path: Path, located: Located) -> object:
    located.lines.setdefault(path, node.start_mark.line + 1)
    if isinstance(node, yaml.SequenceNode):
        return [_built(item, (*path, index), located) for index, item in enumerate(node.value)]
    if isinstance(node, yaml.MappingNode):
        return _built_mapping(node, path, located)
    return _scalar(node)


def _built_mapping(node: yaml.MappingNode, path: Path, located: Located) -> dict[str, object]:
    mapping: dict[str, object] = {}
    for key_node, value_node in node.value:
        key = str(key_node.value)
        line = key_node.start_mark.line + 1
        if key in mapping:
            raise InvalidSiteFile([SiteFileError(located.file, line, key, "each key once")])
        located.lines[*path, key] = line
        mapping[key] = _built(value_node, (*path, key), located)
    return mapping


def _scalar(node: yaml.Node) -> object:
    """A scalar by its resolved type; ConstructorError if invalid, such as day 32."""
    try:
        value: object = SafeConstructor().construct_object(node)
    except ValueError as problem:
        raise ConstructorError(None, None, str(problem), node.start_mark) from problem
    return value


def _syntax(problem: yaml.MarkedYAMLError, file: str) -> SiteFileError:
    mark = problem.problem_mark or problem.context_mark
    return SiteFileError(file, mark.line + 1 if mark else 0, "the file", f"YAML ({problem.problem})")


def _child(value: object, step: str | int) -> object:
    if isinstance(value, dict):
        return value.get(step)
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        return value[step]
    return None
