"""`manage.py bootstrap`: create the first administrator or another user, and an API token for scripts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from backstay.accounts.models import User
from backstay.accounts.services import api_token, create_api_token, save_person
from backstay.core.roles import Role

LABEL = "bootstrap"


class Command(BaseCommand):
    """Idempotent: an existing user gets the password, a valid token is kept. Prints no secret."""

    help = "Create a user whose password is in an environment variable; write an API token to a file."

    def add_arguments(self, parser: CommandParser) -> None:
        """--user NAME --password-env VARIABLE [--role ROLE] [--token-out FILE]."""
        parser.add_argument("--user", required=True)
        parser.add_argument(
            "--password-env", required=True, help="environment variable that contains the password"
        )
        parser.add_argument(
            "--role", choices=list(Role), default=Role.ADMIN, help="role at every site (default: %(default)s)"
        )
        parser.add_argument(
            "--token-out", type=Path, help="write an API token to this file, created with mode 600"
        )

    def handle(
        self,
        *args: Any,
        user: str,
        password_env: str,
        role: str,
        token_out: Path | None,
        **options: Any,
    ) -> None:
        password = os.environ.get(password_env)
        if not password:
            raise CommandError(f"The environment variable {password_env} is empty: put the password into it.")
        person = save_person(user, password, Role(role))
        if token_out is not None:
            self._write_token(person, Role(role), token_out)
        self.stdout.write(f"{user} is ready as {role}.")

    def _write_token(self, person: User, role: Role, file: Path) -> None:
        if file.exists():
            known = api_token(file.read_text().strip(), timezone.now())
            if known is not None and known.user_id == person.pk and known.role == role:
                return
        token = create_api_token(person, LABEL, role)
        # Created with its final mode, so that others can never read it.
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as output:
            output.write(token + "\n")
