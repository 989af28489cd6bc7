"""The agents' identities: enrolment by a one-time token, renewal by their own key, revocation.

Every transition is a compare-and-set in the database, so that any number of web processes may race.
"""

from __future__ import annotations

import base64
import binascii
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.db import IntegrityError, transaction
from django.db.models import F

from backstay.accounts.models import Agent, AgentNonce, EnrolmentToken, User
from backstay.accounts.tokens import ENROLMENT_PREFIX, digest, new_token
from backstay.core.errors import Invalid, Unauthenticated

TOKEN_LIFETIME = timedelta(minutes=15)
CLOCK_TOLERANCE = timedelta(minutes=5)
"""Largest clock offset accepted at renewal; nonces are kept for more than twice this."""
NONCE_LIFETIME = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Proof:
    """An agent's request for a new credential; `text` is what its key signed."""

    agent: str
    at: int
    """Unix seconds by the agent's clock."""
    nonce: str
    text: str
    signature: str
    """Base64."""


def create_enrolment_token(site: str, node: str, by: User | None, now: datetime) -> tuple[str, datetime]:
    """Return a token with which one agent can enrol once for this node, and its expiry."""
    token = new_token(ENROLMENT_PREFIX)
    expires_at = now + TOKEN_LIFETIME
    EnrolmentToken.objects.create(
        digest=digest(token), site=site, node=node, created_by=by, expires_at=expires_at
    )
    return token, expires_at


@transaction.atomic
def enrol(token: str, public_key: str, version: str, now: datetime) -> Agent:
    """Exchange a token for an identity. If several keys race for one token, exactly one wins.

    The same key can repeat the call while the token is valid and gets the same identity, because the first
    reply may have been lost. Enrolment revokes the node's previous agent: the administrator who created the
    token decides which host is the right one. Invalid for a bad key; Unauthenticated for a token that is
    unknown, expired or used by another key.
    """
    key = _public_key(public_key)
    row = EnrolmentToken.objects.select_for_update().filter(digest=digest(token), expires_at__gt=now).first()
    if row is None:
        raise Unauthenticated("The enrolment token is unknown, used or past its 15 minutes: make a new one.")
    if row.agent is not None:
        if bytes(row.agent.public_key) != key or row.agent.revoked_at is not None:
            raise Unauthenticated("The enrolment token was used by another agent: make a new one.")
        return row.agent
    Agent.objects.filter(site=row.site, node=row.node, revoked_at__isnull=True).update(revoked_at=now)
    row.agent = Agent.objects.create(site=row.site, node=row.node, public_key=key, version=version)
    row.used_at = now
    row.save(update_fields=["agent", "used_at"])
    return row.agent


def renew(proof: Proof, now: datetime) -> Agent:
    """Return the agent that signed the proof; Unauthenticated if unknown, revoked, late or replayed."""
    agent = _live_agent(proof.agent)
    if abs(now.timestamp() - proof.at) > CLOCK_TOLERANCE.total_seconds():
        raise Unauthenticated(
            f"The agent's clock is {proof.at - now.timestamp():+.0f} s off; at most 300 s are allowed."
            " Set the host's clock."
        )
    try:
        signature = base64.b64decode(proof.signature, validate=True)
        Ed25519PublicKey.from_public_bytes(bytes(agent.public_key)).verify(signature, proof.text.encode())
    except (InvalidSignature, binascii.Error, ValueError):
        raise Unauthenticated("The signature does not fit the agent's key: enrol the agent again.") from None
    _spend_nonce(agent, proof.nonce, now)
    return agent


def revoke(agent: uuid.UUID, now: datetime) -> bool:
    """End an agent's access from its next request on; False if it had none."""
    return Agent.objects.filter(pk=agent, revoked_at__isnull=True).update(revoked_at=now) == 1


def generation_of(agent: uuid.UUID) -> int:
    """Return the generation of the agent's desired state."""
    return Agent.objects.values_list("generation", flat=True).get(pk=agent)


def bump_generations(site: str) -> None:
    """Mark the desired state of the site's agents as changed; the next reply reports the new generation."""
    Agent.objects.filter(site=site, revoked_at__isnull=True).update(generation=F("generation") + 1)


def _live_agent(text: str) -> Agent:
    try:
        return Agent.objects.get(pk=uuid.UUID(text), revoked_at__isnull=True)
    except (ValueError, Agent.DoesNotExist):
        raise Unauthenticated("The agent is unknown or revoked: enrol it again.") from None


def _spend_nonce(agent: Agent, nonce: str, now: datetime) -> None:
    AgentNonce.objects.filter(agent=agent, at__lt=now - NONCE_LIFETIME).delete()
    try:
        with transaction.atomic():
            AgentNonce.objects.create(agent=agent, nonce=nonce, at=now)
    except IntegrityError:
        raise Unauthenticated("This renewal was already used: sign a new one.") from None


def _public_key(text: str) -> bytes:
    try:
        key = base64.b64decode(text, validate=True)
        Ed25519PublicKey.from_public_bytes(key)
    except (binascii.Error, ValueError):
        raise Invalid(
            "The public key is not usable.", fields={"public_key": "a raw Ed25519 key, 32 octets, base64"}
        ) from None
    return key
