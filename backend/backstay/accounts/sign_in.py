"""Sign-in by password: attempts are counted before the password is checked, and few are checked at a time.

An attempt is counted in PostgreSQL first, so that parallel attempts cannot pass a limit together; a success
gives its counts back. Three limits of failures in five minutes apply: of a name from an address, of an
address, and of a name. Who signed in before has limits of its own: an address from which the name signed
in within 30 days, and a browser with the device token of an earlier sign-in
(OWASP, "Slow Down Online Guessing Attacks with Device Cookies").

Beyond a limit, attempts are slowed down, never refused for good: one a second is checked, of all processes
together, and the address with the fewest attempts comes first. So a correct password is accepted within
seconds, whoever else guesses (docs/decisions/0016).

Checking a password costs 16 MiB and most of 100 ms of a processor (scrypt). A process checks two at a time,
two more for known addresses and browsers. Others wait without a database connection, in the same order.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.hashers import check_password, make_password
from django.core import signing
from django.db import connection

from backstay.accounts.fair_queue import Crowded, FairQueue
from backstay.accounts.models import User
from backstay.core.errors import BackstayError, TooMany, Unauthenticated, Unavailable
from backstay.core.retention import SIGN_IN_DAYS

WINDOW = timedelta(minutes=5)
MOST_OF_PAIR = 10
"""Failures of one name from one address, and of one device token."""
MOST_OF_ADDRESS = 50
MOST_OF_NAME = 100
KNOWN_FOR = timedelta(days=SIGN_IN_DAYS)
"""After a sign-in, its address is known for that name."""
TOKEN_LIFETIME = timedelta(days=180)
SLOT_S = 1.0
"""Beyond a limit, one attempt of a name, known address, browser or address is checked in this time."""
MOST_QUEUED, MOST_SLOWED, SLOT_WAIT_S = 8, 64, 10.0
"""Slowed attempts that wait, of one name and in all, and how long."""
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
RETURNING key, failures
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
_SLOT = """
INSERT INTO accounts_signinattempts AS known (key, failures, ends_at) VALUES (%(key)s, 0, %(ends_at)s)
ON CONFLICT (key) DO UPDATE SET
    ends_at = CASE WHEN known.ends_at > %(now)s THEN known.ends_at ELSE EXCLUDED.ends_at END
RETURNING ends_at
"""


@dataclass(frozen=True, slots=True)
class _Limit:
    """At most `most` failures of `key`; attempts beyond it wait for slots with those of the same `queue`."""

    key: str
    most: int
    queue: str


def _hashing() -> FairQueue:
    return FairQueue(
        at_once=HASHES_AT_ONCE, most_per_key=MOST_WAITING, most_waiting=MOST_WAITING, wait_s=WAIT_S
    )


_unknown, _known = _hashing(), _hashing()
_slowed = FairQueue(at_once=1, most_per_key=MOST_QUEUED, most_waiting=MOST_SLOWED, wait_s=SLOT_WAIT_S)


def sign_in(username: str, password: str, address: str, device: str, now: datetime) -> User:
    """The user of this name and password.

    `device` is the browser's device token or empty. Raises Unauthenticated, TooMany or Unavailable.
    """
    token = _token_of(device, username)
    pair = _digest("pair", username.casefold(), address)
    is_known = token is not None or _is_known(pair, now)
    limits = _limits(username, address, token, pair if is_known else None)
    # The order is by every attempt of an address, also those that were not checked: with another name each
    # time, an address in an overloaded queue would stay a newcomer.
    tried = limits[0].key if is_known else _digest("tried", address)
    counted = dict.fromkeys([*(limit.key for limit in limits), tried])
    failures = _count(counted, now)
    attempts = failures[tried]
    exceeded = next((limit for limit in limits if failures[limit.key] > limit.most), None)
    user = User.objects.filter(username=username, is_active=True).first()
    encoded = user.password if user is not None else None
    _release_connection()
    try:
        if exceeded is not None:
            _await_slot(exceeded.queue, attempts, now)
        fits = _checked(password, encoded, _known if is_known else _unknown, attempts)
    except BackstayError:
        # No password was tried. Only its own counts stay: who repeats at once comes later.
        _give_back([limit.key for limit in limits[1:]])
        raise
    if user is None or not fits:
        raise Unauthenticated("The name or the password is wrong.")
    _give_back(counted)
    _remember(pair, now)
    return user


def _await_slot(key: str, attempts: int, now: datetime) -> None:
    """Wait for the next slot of the key. Raises TooMany."""
    began = time.monotonic()
    try:
        with _slowed.slot(key, attempts):
            while wait_s := _seconds_to_slot(key, now + timedelta(seconds=time.monotonic() - began)):
                _release_connection()
                # Only slots of other processes make it so long.
                if time.monotonic() - began > 2 * SLOT_WAIT_S:
                    raise Crowded
                time.sleep(wait_s)
    except Crowded:
        raise TooMany("Too many failed attempts: try again.", retry_after_s=RETRY_AFTER_S) from None
    _release_connection()


def _checked(password: str, encoded: str | None, hashing: FairQueue, attempts: int) -> bool:
    """Whether the password fits. Raises Unavailable."""
    try:
        with hashing.slot("", attempts):
            return _fits(password, encoded)
    except Crowded:
        raise Unavailable("Too many people are signing in; try again.", retry_after_s=RETRY_AFTER_S) from None


def _seconds_to_slot(key: str, now: datetime) -> float:
    """0 if the slot was taken, once for all processes; else when the next one may be."""
    ends_at = now + timedelta(seconds=SLOT_S)
    with connection.cursor() as cursor:
        cursor.execute(_SLOT, {"key": _digest("slot", key), "now": now, "ends_at": ends_at})
        (stored,) = cursor.fetchone()
    return 0.0 if stored == ends_at else max(0.01, (stored - now).total_seconds())


def _release_connection() -> None:
    """Others need the connection while this thread waits."""
    if not connection.in_atomic_block:
        connection.close()


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


def _limits(username: str, address: str, token: str | None, known_pair: str | None) -> Sequence[_Limit]:
    """What the attempt counts towards, its own first.

    Names are hashed: users sometimes type passwords into the wrong field.
    """
    if token is not None:
        device = _digest("device", token)
        return [_Limit(device, MOST_OF_PAIR, device)]
    if known_pair is not None:
        return [_Limit(known_pair, MOST_OF_PAIR, known_pair)]
    pair = _digest("pair", username.casefold(), address)
    name, everything = _digest("name", username.casefold()), _digest("address", address)
    return [
        _Limit(pair, MOST_OF_PAIR, name),
        _Limit(name, MOST_OF_NAME, name),
        _Limit(everything, MOST_OF_ADDRESS, everything),
    ]


def _digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _count(keys: Iterable[str], now: datetime) -> dict[str, int]:
    """Count the attempt; key -> failures with it."""
    with connection.cursor() as cursor:
        cursor.execute(_FORGET, {"now": now, "known_since": now - KNOWN_FOR})
        cursor.execute(_COUNT, {"keys": list(keys), "now": now, "ends_at": now + WINDOW})
        return dict(cursor.fetchall())


def _give_back(keys: Iterable[str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_GIVE_BACK, {"keys": list(keys)})


def _fits(password: str, encoded: str | None) -> bool:
    """Unknown names take as long as known ones."""
    if encoded is None:
        make_password(password)
        return False
    return check_password(password, encoded)
