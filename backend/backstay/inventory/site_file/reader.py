"""Text of a site file -> plain values; bounded, and without YAML's dangerous features.

Aliases ("billion laughs"), tags, duplicate keys and deep nesting are rejected. Scalars follow YAML 1.1, as in
PyYAML's safe loader. Values are built without lines, because only an invalid file needs these: `Located`
reads the text again for its first error.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import yaml

from backstay.inventory.site_file import yaml_reader
from backstay.inventory.site_file.errors import InvalidSiteFile, Path, SiteFileError
from backstay.inventory.site_file.positions import NodePositions

MAX_TEXT = 16_000_000
"""Characters: 10,000 nodes with all their ports have 6 million; titles, labels and sources add to that."""


@dataclass
class Located:
    """A file's values; lines and the positions of its nodes are those of the text."""

    file: str
    value: object = None
    nodes: NodePositions | None = None
    """None: the text has no list of nodes, or is in a form in which their edges are not recognised."""
    _text: str = field(default="", repr=False)

    @cached_property
    def lines(self) -> dict[Path, int]:
        """Line of each value, from 1; a key's value has the key's line."""
        return yaml_reader.lines(self._text)

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
    if len(text) > MAX_TEXT:
        raise InvalidSiteFile([SiteFileError(file, 0, "the file", f"at most {MAX_TEXT:,} characters")])
    try:
        value, nodes = yaml_reader.read(text)
    except yaml_reader.InvalidYamlError as problem:
        raise InvalidSiteFile([SiteFileError(file, problem.line, problem.key, problem.expected)]) from None
    except yaml.MarkedYAMLError as problem:  # Not chained: its text quotes the file, which holds secrets.
        raise InvalidSiteFile([_syntax(problem, file)]) from None
    except yaml.YAMLError as problem:
        expected = f"YAML text ({type(problem).__name__})"
        raise InvalidSiteFile([SiteFileError(file, 0, "the file", expected)]) from None
    if not isinstance(value, dict):
        raise InvalidSiteFile([SiteFileError(file, 1, "the file", "a mapping that begins with `site:`")])
    return Located(file, value, nodes, text)


def _syntax(problem: yaml.MarkedYAMLError, file: str) -> SiteFileError:
    mark = problem.problem_mark or problem.context_mark
    return SiteFileError(file, mark.line + 1 if mark else 0, "the file", f"YAML ({problem.problem})")


def _child(value: object, step: str | int) -> object:
    if isinstance(value, dict):
        return value.get(step)
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        return value[step]
    return None
