"""The calls of the agent protocol, and their error responses."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import wraps
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from pydantic import BaseModel

from backstay.accounts import agents, credentials
from backstay.accounts.selectors import active_agent
from backstay.alerts.selectors.health import check_database
from backstay.api.agent import body
from backstay.api.agent.desired import desired
from backstay.api.http.connections import DATABASE_ERRORS
from backstay.core.errors import Abandoned, BackstayError, Unauthenticated, Unavailable
from backstay.intake import batches
from backstay.inventory.services import enrol
from backstay.telemetry.ingest import interruption
from backstay.telemetry.ingest.batch import Batch, Outcome
from backstay.telemetry.ingest.senders import generation_of
from backstay_wire import (
    CREDENTIAL_PROOF_PREFIX,
    MAX_BATCH_BYTES,
    Credential,
    Enrol,
    Enrolled,
    Reached,
    Rejection,
    RejectionCode,
    Renew,
)

log = logging.getLogger(__name__)
RETRY_AFTER_S = 2
FAILURES = (BackstayError, *DATABASE_ERRORS)
View = Callable[[HttpRequest, datetime], HttpResponse]


def call(method: str) -> Callable[[View], Callable[[HttpRequest], HttpResponse]]:
    """Decorate a view of one method: passes the request's time and converts errors to responses."""

    def decorated(view: View) -> Callable[[HttpRequest], HttpResponse]:
        @csrf_exempt  # No cookie is read here: the credential is in a header.
        @wraps(view)
        def answered(request: HttpRequest) -> HttpResponse:
            return _uncached(_answered(view, request, method))

        return answered

    return decorated


def _answered(view: View, request: HttpRequest, method: str) -> HttpResponse:
    if request.method != method:
        return _problem(405, "method", f"Only {method} is allowed here.")
    try:
        return view(request, timezone.now())
    except FAILURES as problem:
        return failed(problem)


def failed(problem: Exception) -> HttpResponse:
    """The response for one of FAILURES."""
    if isinstance(problem, BackstayError):
        return answer(problem)
    if interruption.is_stopped():
        return answer(Abandoned())
    log.warning("database unavailable: %s", type(problem).__name__)
    return answer(Unavailable("The database is unavailable; try again.", retry_after_s=RETRY_AFTER_S))


def _uncached(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-store"
    return response


@call("POST")
def post_reports(request: HttpRequest, now: datetime) -> HttpResponse:
    """`POST /reports`: store a batch. The ingest's server calls `read` and `store` itself."""
    return store(read(_agent(request, now), body.octets(request, body.MAX_COMPRESSED), now))


@dataclass(frozen=True, slots=True)
class ReadableRequest:
    """A request of reports."""

    batch: Batch
    rejected: list[Rejection]
    """Malformed reports, which are not in the batch."""


def read(agent: UUID, octets: bytes, received: datetime, most: int = MAX_BATCH_BYTES) -> ReadableRequest:
    """Parse the body of `POST /reports`. Invalid; TooLarge beyond `most` inflated octets."""
    readable = body.batch(octets, most)
    batch = Batch(agent, received, readable.sent, readable.spool, readable.reports, readable.clock)
    if readable.rejected or readable.sanitised:
        batch = replace(batch, sanitised=readable.sanitised, malformed=len(readable.rejected))
    return ReadableRequest(batch, readable.rejected)


def store(request: ReadableRequest) -> HttpResponse:
    """Store a request alone. Raises FAILURES."""
    return acknowledgement(request, batches.store_batch(request.batch))


def is_malformed(request: ReadableRequest, outcome: Outcome) -> bool:
    """Whether a report of the request is malformed or too large."""
    return RejectionCode.MALFORMED in {item.code for item in (*request.rejected, *outcome.rejected)}


def acknowledgement(request: ReadableRequest, outcome: Outcome) -> HttpResponse:
    """The response, once the request is stored."""
    status, reply = batches.reply_of(outcome, request.rejected, request.batch.received)
    return _uncached(_json(reply, status))


@call("GET")
def get_desired(request: HttpRequest, now: datetime) -> HttpResponse:
    """`GET /desired`: the agent's desired state; 304 while its generation is unchanged."""
    ident = _agent(request, now)
    known = request.META.get("HTTP_IF_NONE_MATCH")
    generation = None if known is None else generation_of(ident)
    if generation is not None and known == f'"{generation}"':
        return HttpResponse(status=304)
    agent = active_agent(ident)
    if agent is None:
        raise Unauthenticated("The agent is unknown or revoked: enrol it again.")
    return _json(desired(agent))


@call("GET")
def get_reach(request: HttpRequest, now: datetime) -> HttpResponse:
    """`GET /reach`: proof that the controller is reachable; reads nothing, so it never waits."""
    return _json(Reached(agent=str(_agent(request, now))))


@call("POST")
def post_enrol(request: HttpRequest, now: datetime) -> HttpResponse:
    """`POST /enrol`: exchange a one-time token for an identity."""
    message = body.small(request, Enrol)
    agent = enrol(message.token, message.public_key, message.agent_version, now)
    log.info("agent %s enrolled for %s at %s", agent.pk, agent.node, agent.site)
    credential = _credential(agent.pk, now)
    return _json(Enrolled(agent=str(agent.pk), site=agent.site, node=agent.node, credential=credential))


@call("POST")
def post_credential(request: HttpRequest, now: datetime) -> HttpResponse:
    """`POST /credential`: exchange a signature for a new credential."""
    message = body.small(request, Renew)
    text = f"{CREDENTIAL_PROOF_PREFIX}\n{message.agent}\n{message.at}\n{message.nonce}"
    proof = agents.Proof(message.agent, message.at, message.nonce, text, message.signature)
    return _json(_credential(agents.renew(proof, now).pk, now))


@call("GET")
def get_health(request: HttpRequest, now: datetime) -> HttpResponse:
    """`GET /health`: whether reports can be stored; without authentication, for health checks."""
    check_database()
    return JsonResponse({"status": "ok"})


urlpatterns = [
    path("reports", post_reports),
    path("desired", get_desired),
    path("reach", get_reach),
    path("enrol", post_enrol),
    path("credential", post_credential),
    path("health", get_health),
]


def _agent(request: HttpRequest, now: datetime) -> UUID:
    return credentials.agent_of(request.META.get("HTTP_AUTHORIZATION", ""), now)


def _credential(agent: UUID, now: datetime) -> Credential:
    bearer = credentials.issue(agent, now)
    return Credential(credential=bearer.text, expires_at=bearer.expires_at)


def _json(message: BaseModel, status: int = 200) -> HttpResponse:
    return HttpResponse(message.model_dump_json(), content_type="application/json", status=status)


def answer(problem: BackstayError) -> HttpResponse:
    """The error as a response."""
    response = _problem(problem.status, problem.code, problem.message, problem.fields)
    if problem.retry_after_s is not None:
        response["Retry-After"] = str(int(problem.retry_after_s))
    if problem.status == Unauthenticated.status:
        response["WWW-Authenticate"] = "Bearer"
    return response


def _problem(status: int, code: str, message: str, fields: dict[str, str] | None = None) -> HttpResponse:
    return JsonResponse({"code": code, "message": message, "fields": fields or {}}, status=status)
