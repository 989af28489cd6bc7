"""Sign-in by password: attempts are counted before the password is checked, and few are checked at a time.

An attempt is counted in PostgreSQL first, so that parallel attempts cannot pass a limit together; a success
gives its counts back. Three limits of failures in five minutes apply: of a name from an address, of an
address, and of a name. Who signed in before is not locked out: an address from which the name signed
in within 30 days has a limit of its own, and so has a browser with the device token of an earlier sign-in
(OWASP, "Slow Down Online Guessing Attacks with Device Cookies").

Checking a password costs 16 MiB and most of 100 ms of a processor (scrypt). A process checks two at a time,
two more for known addresses and browsers. Others wait without a database connection, up to a limit.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.contrib.auth.hashers import check_password, make_password
from django.core import signing
from django.db import connection

from backstay.accounts.models import User
from backstay.core.errors import TooMany, Unauthenticated, Unavailable
from backstay.core.retention import SIGN_IN_DAYS

WINDOW = timedelta(minutes=5)
MOST_OF_PAIR = 10
"""Failures of one name from one address, and of one device token."""
MOST_OF_ADDRESS = 50
MOST_OF_NAME = 100
KNOWN_FOR = timedelta(days=SIGN_IN_DAYS)
"""After a sign-in, its address is known for that name."""
TOKEN_LIFETIME = timedelta(days=180)
HASHES_AT_ONCE = 2
MOST_WAITING, WAIT_S = 32, 5.0
RETRY_AFTER_S = 2.0
_SALT = "backstay.sign-in.device"
# One statement, rows in the order of their keys: parallel attempts queue up instead of deadlocking.
_COUNT = """
INSERT INTO accounts_signinattempts AS known (key, failures, ends_at)
SELECT key, 1, %(ends_at)s FROM unnest(%(keys)s::text[]) AS key ORDER BY key
ON CONFLICT (key) DO UPDATE SET
    failures = CASE WHEN known.ends_at > %(now)s THEN known.failures + 1 ELSE 1 END,
    ends_at = CASE WHEN known.ends_at > %(now)s THEN known.ends_at ELSE EXCLUDED.ends_at END
RETURNING key, failures, ends_at
"""
_GIVE_BACK = """
UPDATE accounts_signinattempts SET failures = greatest(failures - 1, 0)
WHERE key IN (SELECT key FROM accounts_signinattempts WHERE key = ANY(%(keys)s) ORDER BY key FOR UPDATE)
"""
_FORGET = """
DELETE FROM accounts_signinattempts WHERE key IN (
    SELECT key FROM accounts_signinattempts
    WHERE ends_at < %(now)s AND (succeeded_at IS NULL OR succeeded_at < %(known_since)s)
    LIMIT 100 FOR UPDATE SKIP LOCKED)
"""
_KNOWN = "SELECT 1 FROM accounts_signinattempts WHERE key = %(key)s AND succeeded_at >= %(known_since)s"
_SUCCEED = """
INSERT INTO accounts_signinattempts AS known (key, failures, ends_at, succeeded_at)
VALUES (%(key)s, 0, %(now)s, %(now)s)
ON CONFLICT (key) DO UPDATE SET succeeded_at = EXCLUDED.succeeded_at
"""


class _Hashing:
    """At most HASHES_AT_ONCE password checks at a time, MOST_WAITING waiting ones."""

    def __init__(self) -> None:
        self._free = threading.BoundedSemaphore(HASHES_AT_ONCE)
        self._places = threading.BoundedSemaphore(HASHES_AT_ONCE + MOST_WAITING)

    @contextmanager
    def one(self) -> Iterator[None]:
        """Hold a place. Raises Unavailable."""
        if not self._places.acquire(blocking=False):
            raise Unavailable("Too many people are signing in; try again.", retry_after_s=RETRY_AFTER_S)
        try:
            if not self._free.acquire(timeout=WAIT_S):
                raise Unavailable("Too many people are signing in; try again.", retry_after_s=RETRY_AFTER_S)
            try:
                yield
            finally:
                self._free.release()
        finally:
            self._places.release()


_unknown, _known = _Hashing(), _Hashing()


def sign_in(username: str, password: str, address: str, device: str, now: datetime) -> User:
    """The user of this name and password.

    `device` is the browser's device token or empty. Raises Unauthenticated, TooMany or Unavailable.
    """
    token = _token_of(device, username)
    pair = _digest("pair", username.casefold(), address)
    is_known = token is not None or _is_known(pair, now)
    limits = _limits(username, address, token, pair if is_known else None)
    _count(limits, now)
    user = User.objects.filter(username=username, is_active=True).first()
    encoded = user.password if user is not None else None
    # Others need the connection while this thread waits for a processor.
    if not connection.in_atomic_block:
        connection.close()
    with (_known if is_known else _unknown).one():
        fits = _fits(password, encoded)
    if user is None or not fits:
        raise Unauthenticated("The name or the password is wrong.")
    _give_back(limits)
    _remember(pair, now)
    return user


def device_token(username: str) -> str:
    """A token for the browser of a user who has just signed in."""
    value = f"{_digest(username.casefold())}:{secrets.token_urlsafe(12)}"
    return signing.dumps(value, salt=_SALT)


def _token_of(device: str, username: str) -> str | None:
    try:
        value = str(signing.loads(device, salt=_SALT, max_age=TOKEN_LIFETIME))
    except signing.BadSignature:
        return None
    return value if value.startswith(f"{_digest(username.casefold())}:") else None


def _is_known(pair: str, now: datetime) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_KNOWN, {"key": pair, "known_since": now - KNOWN_FOR})
        return cursor.fetchone() is not None


def _remember(pair: str, now: datetime) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_SUCCEED, {"key": pair, "now": now})


def _limits(username: str, address: str, token: str | None, known_pair: str | None) -> dict[str, int]:
    """Key -> most failures. Names are hashed: users sometimes type passwords into the wrong field."""
    name = username.casefold()
    if token is not None:
        return {_digest("device", token): MOST_OF_PAIR}
    if known_pair is not None:
        return {known_pair: MOST_OF_PAIR}
    return {
        _digest("pair", name, address): MOST_OF_PAIR,
        _digest("address", address): MOST_OF_ADDRESS,
        _digest("name", name): MOST_OF_NAME,
    }


def _digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _count(limits: dict[str, int], now: datetime) -> None:
    """Count the attempt. Beyond one limit it does not count towards the others: it tries no password."""
    with connection.cursor() as cursor:
        cursor.execute(_FORGET, {"now": now, "known_since": now - KNOWN_FOR})
        cursor.execute(_COUNT, {"keys": list(limits), "now": now, "ends_at": now + WINDOW})
        rows = cursor.fetchall()
    exceeded = [ends_at for key, failures, ends_at in rows if failures > limits[key]]
    if exceeded:
        _give_back([key for key, failures, _ in rows if failures <= limits[key]])
        wait_s = max(1.0, (max(exceeded) - now).total_seconds())
        raise TooMany("Too many failed attempts: wait five minutes.", retry_after_s=wait_s)


def _give_back(keys: Iterable[str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_GIVE_BACK, {"keys": list(keys)})


def _fits(password: str, encoded: str | None) -> bool:
    """Unknown names take as long as known ones."""
    if encoded is None:
        make_password(password)
        return False
    return check_password(password, encoded)
