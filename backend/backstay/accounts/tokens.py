"""Random tokens that are shown once: only their SHA-256 is stored.

A plain digest is enough: 256 random bits rule out a dictionary attack.
"""

from __future__ import annotations

import hashlib
import secrets

API_PREFIX = "bst_"
ENROLMENT_PREFIX = "bse_"
WALLBOARD_PREFIX = "bsw_"


def new_token(prefix: str) -> str:
    """Return a token of 256 random bits; the prefix identifies the kind of a leaked token."""
    return prefix + secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """SHA-256 of a token, hex: the stored form."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
