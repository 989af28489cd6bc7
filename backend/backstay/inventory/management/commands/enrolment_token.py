"""`manage.py enrolment_token SITE NODE`: a token with which the agent of one node enrols once."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from backstay.accounts.agents import create_enrolment_token
from backstay.inventory.models import Node


class Command(BaseCommand):
    """Prints only the token, for use in scripts. It is valid for 15 minutes."""

    help = "Print a token that lets the agent of one node enrol once within 15 minutes."

    def add_arguments(self, parser: CommandParser) -> None:
        """SITE and NODE."""
        parser.add_argument("site")
        parser.add_argument("node")

    def handle(self, *args: Any, site: str, node: str, **options: Any) -> None:
        if not Node.objects.filter(site__name=site, name=node).exists():
            raise CommandError(f"There is no node {node} at {site}: import the site file first.")
        token, _ = create_enrolment_token(site, node, None, timezone.now())
        self.stdout.write(token)
