"""The command line's models and number formats, generated from backend/openapi.json: `cli_models.py FOLDER`.

A response model contains only fields whose names occur as attributes in the command line's source, so that it
accepts an older or newer backend, which may lack or add other fields. Enumerations become plain strings for
the same reason. A model with all fields of another one inherits from it.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tempfile
from collections.abc import Set
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "agents" / "cli" / "src" / "backstay_cli"
DOCUMENT = ROOT / "backend" / "openapi.json"
MODULE = "backstay_cli.models"
HEADER = (
    '"""The API\'s response models, generated from backend/openapi.json by `make gen-api`: do not edit."""\n'
)
REFERENCE = "#/components/schemas/"
RAW = {"MatrixModel"}
"""Printed unchanged, with any parameters."""
OPTIONS = (
    "--input-file-type", "openapi", "--output-model-type", "pydantic_v2.BaseModel",
    "--target-python-version", "3.11", "--use-standard-collections", "--use-union-operator",
    "--use-annotated", "--strict-nullable", "--collapse-root-models", "--disable-future-imports",
    "--base-class", "backstay_cli.reading.Model", "--formatters", "ruff-format",
)  # fmt: skip


def used() -> tuple[set[str], set[str]]:
    """The models that the command line imports, and every attribute name that it reads."""
    models, attributes = set(), set()
    for path in SOURCE.rglob("*.py"):
        if path == SOURCE / "models.py":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module == MODULE:
                models |= {alias.name for alias in node.names}
            elif isinstance(node, ast.Attribute):
                attributes.add(node.attr)
    return models, attributes


def loosened(schema: Any, enums: Set[str]) -> Any:
    """A schema without descriptions, patterns and enumerations; a reference to one of `enums` is a string."""
    if isinstance(schema, list):
        return [loosened(item, enums) for item in schema]
    if not isinstance(schema, dict):
        return schema
    referenced = schema.get("$ref", "").removeprefix(REFERENCE)
    if referenced in RAW:
        return {"type": "object"}
    if referenced in enums:
        return {"type": "string"}
    if "enum" in schema or "const" in schema:
        return {"type": schema.get("type", "string")}
    dropped = {"description", "title", "pattern", "maxLength", "minLength", "minimum", "maximum"}
    return {
        key: loosened(value, enums)
        for key, value in schema.items()
        if key not in dropped or isinstance(value, dict)
    }


def pruned(schemas: dict[str, Any], models: set[str], attributes: set[str]) -> dict[str, Any]:
    """The schemas reachable from these models, each with the fields used."""
    kept: dict[str, Any] = {}
    enums = {name for name, schema in schemas.items() if "enum" in schema}
    waiting = sorted(models)
    while waiting:
        name = waiting.pop(0)
        if name in kept:
            continue
        schema = loosened(schemas[name], enums)
        fields = {field: value for field, value in schema["properties"].items() if field in attributes}
        required = [field for field, value in fields.items() if "default" not in value]
        kept[name] = {"type": "object", "properties": fields, "required": required}
        waiting += [part.split('"')[0] for part in json.dumps(fields).split(REFERENCE)[1:]]
    return {name: derived(name, kept) for name in kept}


def derived(name: str, schemas: dict[str, Any]) -> dict[str, Any]:
    """The schema, as an extension of the largest other one whose fields it has."""
    fields = schemas[name]["properties"].items()
    smaller = [
        other
        for other, schema in schemas.items()
        if len(schema["properties"]) > 1 and schema["properties"].items() < fields
    ]
    if not smaller:
        return dict(schemas[name])
    base = max(smaller, key=lambda other: len(schemas[other]["properties"]))
    inherited = schemas[base]["properties"]
    extra = {field: value for field, value in fields if field not in inherited}
    required = [field for field in schemas[name]["required"] if field in extra]
    own = {"type": "object", "properties": extra, "required": required}
    return {"allOf": [{"$ref": REFERENCE + base}, own]}


def generate(folder: Path) -> None:
    """Write models.py and spec.json; raises CalledProcessError if the generator refuses the document."""
    document = json.loads(DOCUMENT.read_text())
    schemas = pruned(document["components"]["schemas"], *used())
    with tempfile.TemporaryDirectory() as work:
        reduced, made = Path(work) / "openapi.json", Path(work) / "models.py"
        info = {"title": "Backstay", "version": "1"}
        reduced.write_text(
            json.dumps({"openapi": "3.1.0", "info": info, "paths": {}, "components": {"schemas": schemas}})
        )
        binaries = Path(sys.executable).parent
        subprocess.run(
            [
                binaries / "datamodel-codegen",
                "--input",
                reduced,
                "--output",
                made,
                "--custom-file-header",
                HEADER,
                *OPTIONS,
            ],
            check=True,
        )
        subprocess.run(
            [binaries / "ruff", "check", "--quiet", "--fix", "--config", ROOT / "pyproject.toml", made],
            check=True,
        )
        subprocess.run(
            [binaries / "ruff", "format", "--quiet", "--config", ROOT / "pyproject.toml", made], check=True
        )
        (folder / "models.py").write_text(made.read_text())
    spec = json.dumps(document["x-backstay"], indent=1)
    (folder / "spec.json").write_text(f"{spec}\n")


if __name__ == "__main__":
    generate(Path(sys.argv[1]))
