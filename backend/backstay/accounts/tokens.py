"""Random tokens that are shown once: only their SHA-256 is ever stored.

A plain digest is enough, because the text is 256 random bits: there is no dictionary to try.
"""

from __future__ import annotations

import hashlib
import secrets

API_PREFIX = "bst_"
ENROLMENT_PREFIX = "bse_"


def new_token(prefix: str) -> str:
    """A token of 256 random bits; the prefix tells a leaked one's kind to whoever finds it."""
    return prefix + secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """What is stored of a token: SHA-256, hex."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
