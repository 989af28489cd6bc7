"""`manage.py rotate_secrets`: re-encrypt every stored secret with the first of BACKSTAY_SECRET_KEYS."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backstay.accounts import secrets
from backstay.core.formatting import count


class Command(BaseCommand):
    """Afterwards the former keys can be removed from BACKSTAY_SECRET_KEYS."""

    help = "Re-encrypt every stored secret under the first of BACKSTAY_SECRET_KEYS."

    def handle(self, *args: Any, **options: Any) -> None:
        """One transaction; CommandError (exit 1) if a secret cannot be decrypted."""
        try:
            rotated = secrets.rotate_all()
        except secrets.SecretsUnreadableError as problem:
            raise CommandError(str(problem)) from None
        for name, rows in rotated.items():
            self.stdout.write(f"Re-encrypted the secrets of {count(rows, name)}.")
