"""Imports a site file: inventory, policies, rules and agents in one transaction."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from backstay.accounts.agents import bump_generations
from backstay.accounts.models import User
from backstay.alerts.rule_file import apply_rules
from backstay.alerts.services import ensure_rules
from backstay.core.model.event_kinds import EventKind
from backstay.inventory.models import Site
from backstay.inventory.site_file import parser
from backstay.inventory.site_file.importer import ImportDiff, finish_import, import_site
from backstay.live import publish
from backstay.policy import path_routes
from backstay.policy.services import apply_policies
from backstay.rollout.models import InputEdit
from backstay.rollout.policy_protection import ensure_file_keeps
from backstay.telemetry import events, state_evidence

NOUNS = (
    "sites",
    "topology",
    "fabrics",
    "nodes",
    "ports",
    "links",
    "circuits",
    "paths",
    "failover-policies",
    "agents",
    "rules",
)


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of an import or a dry run."""

    site: str
    created: int
    changed: int
    removed: int
    unchanged: int

    def __str__(self) -> str:
        return (
            f"{self.created} created, {self.changed} changed, {self.removed} removed,"
            f" {self.unchanged} unchanged"
        )


def import_text(
    text: str, name: str, now: datetime, *, dry_run: bool = False, person: User | None = None
) -> Imported:
    """Reconcile the site with the file; with `dry_run` only report the differences.

    `name` is the file's name in messages; `person` is an author of plans made from it.
    InvalidSiteFile if the text has errors; Refused if it drops a policy that nodes have.
    """
    file = parser.parse(text, name)
    with transaction.atomic():
        site, diff = import_site(file, now)
        ensure_file_keeps(site, [intent.name for intent in file.intents])
        diff.changed += apply_policies(site, file.intents)
        ensure_rules(site)
        diff.changed += apply_rules(site, file, now, person)
        finish_import(site, diff.differs, now)
        if not dry_run:
            path_routes.refresh(site)
            state_evidence.refresh(site)
        if diff.differs:
            bump_generations(site.name)
            publish.changed(site.name, NOUNS)
            _record(site, diff, now)
            if person is not None:
                InputEdit.objects.create(site=site, person=person, at=now)
        transaction.set_rollback(dry_run)
    return _imported(file.head.site, diff)


def _record(site: Site, diff: ImportDiff, now: datetime) -> None:
    message = f"{site.name} was imported: {_imported(site.name, diff)}"
    events.record(site, EventKind.SITE_IMPORTED, message, at=now, subject=site.name)


def _imported(site: str, diff: ImportDiff) -> Imported:
    return Imported(site, diff.created, diff.changed, diff.removed, diff.unchanged)
