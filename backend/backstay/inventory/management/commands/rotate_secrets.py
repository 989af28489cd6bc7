"""`manage.py rotate_secrets`: re-encrypt every device secret with the first of BACKSTAY_SECRET_KEYS."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backstay.accounts.secrets import SecretsUnreadableError
from backstay.inventory.services import rotate_secrets


class Command(BaseCommand):
    """Afterwards the former keys can be removed from BACKSTAY_SECRET_KEYS."""

    help = "Re-encrypt every device secret under the first of BACKSTAY_SECRET_KEYS."

    def handle(self, *args: Any, **options: Any) -> None:
        """One transaction; CommandError (exit 1) if a secret cannot be decrypted."""
        try:
            count = rotate_secrets()
        except SecretsUnreadableError as problem:
            raise CommandError(str(problem)) from None
        self.stdout.write(f"Re-encrypted the secrets of {count} nodes.")
