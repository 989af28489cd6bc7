"""`Idempotency-Key`: a POST repeated within a day gets the stored response and has no effect.

The key is reserved before the operation runs, and the response is stored with it. The same key with another
request is an error of the client; while the first request is in progress, the second must wait.
"""

import functools
import hashlib
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone
from ninja import Status
from pydantic import BaseModel

from backstay.accounts import secrets
from backstay.api.http.auth import principal
from backstay.api.models import KeptAnswer
from backstay.core.errors import Conflict, Invalid, Refused

HEADER = "Idempotency-Key"
KEPT = timedelta(days=1)
ABANDONED = timedelta(minutes=1)
"""An older reservation belongs to a process that died."""
LONGEST = 200
View = Callable[..., Any]


def idempotent(view: View) -> View:
    """Wrap an operation of the API; no effect without the header."""

    @functools.wraps(view)
    def once(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        key = request.headers.get(HEADER)
        if key is None:
            return view(request, *args, **kwargs)
        if not 1 <= len(key) <= LONGEST or "\0" in key:
            expected = f"expected 1 to {LONGEST} characters"
            raise Invalid(f"{HEADER} is not usable: {expected}.", fields={HEADER: expected})
        return _once(request, key, lambda: view(request, *args, **kwargs))

    return once


def _once(request: HttpRequest, key: str, work: Callable[[], Any]) -> Any:
    kept, mine = _reserve(request, key, timezone.now())
    if not mine:
        return _again(kept, _digest(request))
    try:
        answer = work()
    except BaseException:
        kept.delete()
        raise
    status, value = (answer.status_code, answer.value) if isinstance(answer, Status) else (200, answer)
    plain = value.model_dump(mode="json") if isinstance(value, BaseModel) else value
    KeptAnswer.objects.filter(pk=kept.pk).update(status=status, body=secrets.encrypt({"body": plain}))
    return answer


def _reserve(request: HttpRequest, key: str, now: datetime) -> tuple[KeptAnswer, bool]:
    user = principal(request).user
    KeptAnswer.objects.filter(at__lt=now - KEPT).delete()
    KeptAnswer.objects.filter(user=user, key=key, status=None, at__lt=now - ABANDONED).delete()
    try:
        with transaction.atomic():
            return KeptAnswer.objects.create(user=user, key=key, request=_digest(request), at=now), True
    except IntegrityError:
        return KeptAnswer.objects.get(user=user, key=key), False


def _again(kept: KeptAnswer, digest: str) -> Any:
    if kept.request != digest:
        raise Refused(f"This {HEADER} was used for another request: choose a new one.")
    if kept.status is None:
        raise Conflict("The first request with this key is still in progress: try again in a moment.")
    return Status(kept.status, secrets.decrypt(kept.body)["body"])


def _digest(request: HttpRequest) -> str:
    return hashlib.sha256(f"{request.method} {request.path}\n".encode() + request.body).hexdigest()
