"""The OpenAPI documents of both APIs: the public one as generated, the agents' from the wire's messages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

import schemathesis
from pydantic import BaseModel
from schemathesis import APIOperation
from schemathesis.core.result import Ok

from backstay_wire import BatchReply, Desired, Enrol, Enrolled, Reached, Renew, ReportBatch
from backstay_wire.enrolment import Credential

Json = dict[str, Any]
Operation = APIOperation[Any, Any, Any, Any]
PUBLIC = Path(__file__).resolve().parents[2] / "openapi.json"
AGENTS = "/api/agent/v1/"
REPORTS = f"{AGENTS}reports"
LIVE = "/api/v1/live"
BODY_ERRORS = ("400", "401", "408", "413", "429", "503")
"""Errors of every call with a body."""
PROBLEM = {
    "type": "object",
    "properties": {
        "code": {"type": "string"},
        "message": {"type": "string"},
        "fields": {"type": "object", "additionalProperties": {"type": "string"}},
    },
    "required": ["code", "message", "fields"],
    "additionalProperties": False,
}


def public() -> Json:
    """The public API's document."""
    document: Json = json.loads(PUBLIC.read_text())
    return document


def agents() -> Json:
    """The agent protocol's document."""
    shapes: Json = {"Problem": PROBLEM}
    secured: Json = {"security": [{"Agent": []}]}
    problem = _answer(_ref("Problem"))
    errors = dict.fromkeys(BODY_ERRORS, problem)
    replied = _shape(BatchReply, "serialization", shapes)
    partly = dict.fromkeys(("403", "409", "422"), _answer({"anyOf": [replied, _ref("Problem")]}))
    posts = {
        "reports": {**_call("post_reports", _answer(replied), errors | partly), **secured},
        "enrol": _call("post_enrol", _answer(_shape(Enrolled, "serialization", shapes)), errors),
        "credential": _call("post_credential", _answer(_shape(Credential, "serialization", shapes)), errors),
    }
    for name, message in (("reports", ReportBatch), ("enrol", Enrol), ("credential", Renew)):
        posts[name] |= _body(_shape(message, "validation", shapes))
    errors = {"401": problem, "503": problem}
    unchanged = {"304": {"description": "unchanged"}}
    desired = _answer(_shape(Desired, "serialization", shapes))
    gets = {
        "desired": {**_call("get_desired", desired, errors | unchanged), **secured},
        "reach": {**_call("get_reach", _answer(_shape(Reached, "serialization", shapes)), errors), **secured},
        "health": _call("get_agent_health", _answer({"type": "object"}), errors),
    }
    paths = {AGENTS + name: {"post": post} for name, post in posts.items()}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Agent protocol", "version": "1"},
        "paths": paths | {AGENTS + name: {"get": get} for name, get in gets.items()},
        "components": {
            "schemas": shapes,
            "securitySchemes": {"Agent": {"type": "http", "scheme": "bearer"}},
        },
    }


def _call(name: str, answer: Json, others: Json) -> Json:
    return {"operationId": name, "responses": {"200": answer, **others}}


def _body(shape: Json) -> Json:
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": shape}}}}


def _answer(shape: Json) -> Json:
    return {"description": "", "content": {"application/json": {"schema": shape}}}


def _ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


def _shape(message: type[BaseModel], mode: Literal["validation", "serialization"], shapes: Json) -> Json:
    """A reference to the message; adds it and what it refers to."""
    kind = "sent" if mode == "validation" else "reply"
    schema = message.model_json_schema(ref_template=f"#/components/schemas/{kind}.{{model}}", mode=mode)
    shapes |= {f"{kind}.{name}": shape for name, shape in schema.pop("$defs", {}).items()}
    shapes[f"{kind}.{message.__name__}"] = schema
    return _ref(f"{kind}.{message.__name__}")


def operations(document: Json, application: Any = None) -> list[Operation]:
    """All operations of a document; `application`: the WSGI application that serves them in this process."""
    schema = schemathesis.openapi.from_dict(document)
    # Callers have their own credentials.
    schema.config.generation.with_security_parameters = False
    schema.app = application
    return [result.ok() for result in schema.get_all_operations() if isinstance(result, Ok)]
