"""Answers made from the API document, for operations that a test says nothing about."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from backstay_testing.cli.fake_server import AT, Asked, World

DOCUMENT = Path(__file__).parents[5] / "backend" / "openapi.json"
PREFIX = "/api/v1"
DEEPEST = 6
"""Nested objects of an example; below, lists are empty."""


class Examples:
    """Operations by path and method, and one example of what each answers."""

    def __init__(self, names: str = "text") -> None:
        self.document: dict[str, Any] = json.loads(DOCUMENT.read_text())
        self._names = names
        self._paths = [
            (re.compile(re.sub(r"\\?\{\w+\\?\}", "[^/]+", re.escape(path.removeprefix(PREFIX)))), operations)
            for path, operations in sorted(
                self.document["paths"].items(), key=lambda item: item[0].count("{")
            )
        ]

    def operation(self, asked: Asked) -> dict[str, Any] | None:
        """The operation of a request; None: the document has none."""
        for pattern, operations in self._paths:
            if pattern.fullmatch(asked.path):
                found: dict[str, Any] | None = operations.get(asked.method.lower())
                return found
        return None

    def answer(self, asked: Asked) -> tuple[int, Any] | None:
        """Status and body of an answer; None: the document has no such operation."""
        operation = self.operation(asked)
        if operation is None:
            return None
        status, response = next(item for item in operation["responses"].items() if item[0].startswith("2"))
        content = response.get("content", {})
        if "application/json" not in content:
            return int(status), b"text"
        return int(status), self.value(content["application/json"]["schema"])

    def fill(self, world: World) -> None:
        """Let the fake answer every operation of the document that it has no answer for."""
        world.other = self.answer

    def value(  # noqa: PLR0911 - one return per type
        self, schema: dict[str, Any], name: str = "", depth: int = 0
    ) -> Any:
        """A value of a schema; names and titles are as long as asked for."""
        if "$ref" in schema:
            return self.value(
                self.document["components"]["schemas"][schema["$ref"].rpartition("/")[2]], name, depth
            )
        for key in ("anyOf", "allOf", "oneOf"):
            if key in schema:
                return None if name == "next" else self.value(schema[key][0], name, depth)
        if "enum" in schema or "const" in schema:
            return schema.get("const", schema.get("enum", [None])[0])
        match schema.get("type"):
            case "object":
                fields = schema.get("properties", {}).items()
                return {field: self.value(one, field, depth + 1) for field, one in fields}
            case "array":
                return [] if depth > DEEPEST else [self.value(schema.get("items", {}), name, depth + 1)]
            case "string":
                return AT.isoformat() if schema.get("format") == "date-time" else self._names
            case "integer" | "number":
                return max(int(schema.get("minimum", 1)), 1)
            case "boolean":
                return False
        return None
