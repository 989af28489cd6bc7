"""`Idempotency-Key`: a POST repeated within a day gets the stored response and has no effect.

The response is stored in the transaction of the operation: both exist or neither does, whenever the process
dies. A response belongs to the user and to what the user was allowed at that time: nobody gets one that was
given to another API token or to a role that the user has lost. The same key with another request is an error.
"""

import functools
import hashlib
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.db.utils import OperationalError
from django.http import HttpRequest
from django.utils import timezone
from ninja import Status
from psycopg.errors import LockNotAvailable
from pydantic import BaseModel

from backstay.accounts import secrets
from backstay.accounts.services import permissions_digest
from backstay.api.http.auth import principal
from backstay.api.models import KeptAnswer
from backstay.core.errors import Conflict, Invalid, Refused
from backstay.core.retention import IDEMPOTENCY_DAYS

HEADER = "Idempotency-Key"
KEPT = timedelta(days=IDEMPOTENCY_DAYS)
WAIT_MS = 2000
"""How long a request waits for an earlier one with the same key."""
MOST_FORGOTTEN = 100
LONGEST = 200
View = Callable[..., Any]
_RESERVE = """
INSERT INTO api_keptanswer (user_id, permissions, key, request, at)
VALUES (%(user)s, %(permissions)s, %(key)s, %(request)s, %(at)s)
ON CONFLICT (user_id, permissions, key) DO NOTHING
"""
_FORGET = """
DELETE FROM api_keptanswer WHERE id IN (
    SELECT id FROM api_keptanswer WHERE at < %s LIMIT %s FOR UPDATE SKIP LOCKED)
"""


def idempotent(view: View) -> View:
    """Wrap an operation of the API; no effect without the header."""

    @functools.wraps(view)
    def once(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        key = request.headers.get(HEADER)
        if key is None:
            return view(request, *args, **kwargs)
        if not 1 <= len(key) <= LONGEST:
            expected = f"expected 1 to {LONGEST} characters"
            raise Invalid(f"{HEADER} is not usable: {expected}.", fields={HEADER: expected})
        return _once(request, key, lambda: view(request, *args, **kwargs))

    return once


def _once(request: HttpRequest, key: str, work: Callable[[], Any]) -> Any:
    who = principal(request)
    slot = {"user": who.user.pk, "permissions": permissions_digest(who.user, who.at_most), "key": key}
    digest = _digest(request)
    with transaction.atomic():
        if not _reserve(slot, digest, timezone.now()):
            return _again(slot, digest)
        answer = work()
        status, value = (answer.status_code, answer.value) if isinstance(answer, Status) else (200, answer)
        plain = value.model_dump(mode="json") if isinstance(value, BaseModel) else value
        KeptAnswer.objects.filter(**slot).update(status=status, body=secrets.encrypt({"body": plain}))
    return answer


def _reserve(slot: dict[str, Any], digest: str, now: datetime) -> bool:
    """Whether this request is the first. Waits for the end of an earlier one; raises Conflict."""
    with connection.cursor() as cursor:
        cursor.execute(_FORGET, [now - KEPT, MOST_FORGOTTEN])
        cursor.execute(f"SET LOCAL lock_timeout = {WAIT_MS}")
        try:
            cursor.execute(_RESERVE, {**slot, "request": digest, "at": now})
        except OperationalError as problem:
            if not isinstance(problem.__cause__, LockNotAvailable):
                raise
            raise Conflict("The first request with this key is in progress: try again in a moment.") from None
        is_first = bool(cursor.rowcount == 1)
        cursor.execute("SET LOCAL lock_timeout TO DEFAULT")
    return is_first


def _again(slot: dict[str, Any], digest: str) -> Any:
    kept = KeptAnswer.objects.get(**slot)
    if kept.request != digest:
        raise Refused(f"This {HEADER} was used for another request: choose a new one.")
    assert kept.status is not None  # Its transaction has committed.
    return Status(kept.status, secrets.decrypt(kept.body)["body"])


def _digest(request: HttpRequest) -> str:
    line = f"{request.method} {request.get_full_path()}\n"
    return hashlib.sha256(line.encode() + request.body).hexdigest()
