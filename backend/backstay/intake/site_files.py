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
from backstay.intake import import_record, site_edits
from backstay.intake.site_edits import SiteEdit
from backstay.inventory.models import Site
from backstay.inventory.site_file import parser
from backstay.inventory.site_file.importer import ImportDiff, finish_import, import_site
from backstay.inventory.site_file.positions import digests as text_digests
from backstay.inventory.site_file.values import SiteFile
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
    edit = site_edits.find_edit(text, name)
    done = None if edit is None else _import_edit(edit, now, dry_run=dry_run, person=person)
    return done or _import_file(text, name, now, dry_run=dry_run, person=person)


def _import_file(text: str, name: str, now: datetime, *, dry_run: bool, person: User | None) -> Imported:
    """Compare everything."""
    file = parser.parse(text, name)
    with transaction.atomic():
        site, diff = import_site(file, now)
        objects = diff.created + diff.changed + diff.unchanged
        ensure_file_keeps(site, [intent.name for intent in file.intents])
        diff.changed += apply_policies(site, file.intents)
        ensure_rules(site)
        diff.changed += apply_rules(site, file, now, person)
        _finish(site, diff, now, dry_run=dry_run, person=person)
        if not dry_run:
            _remember(site, text, file, objects)
        transaction.set_rollback(dry_run)
    return _imported(file.head.site, diff)


def _import_edit(edit: SiteEdit, now: datetime, *, dry_run: bool, person: User | None) -> Imported | None:
    """Compare only the edited nodes; None: everything must be compared."""
    with transaction.atomic():
        done = site_edits.import_site_edit(edit)
        if done is None:
            return None
        site, diff = done
        before = site.version
        _finish(site, diff, now, dry_run=dry_run, person=person, derived_from=before)
        if not dry_run:
            site_edits.record_edit(site, edit, differs=diff.differs)
        transaction.set_rollback(dry_run)
    return _imported(site.name, diff)


def _finish(
    site: Site,
    diff: ImportDiff,
    now: datetime,
    *,
    dry_run: bool,
    person: User | None,
    derived_from: int | None = None,
) -> None:
    """What follows from a written import; `derived_from`: version whose derived rows hold for the new one."""
    finish_import(site, diff.differs, now)
    if not dry_run:
        if derived_from is not None:
            site_edits.keep_derived(site, derived_from)
        path_routes.refresh(site)
        state_evidence.refresh(site)
    if diff.differs:
        bump_generations(site.name)
        publish.changed(site.name, NOUNS)
        _record(site, diff, now)
        if person is not None:
            InputEdit.objects.create(site=site, person=person, at=now)


def _remember(site: Site, text: str, file: SiteFile, objects: int) -> None:
    positions = file.located.nodes
    if positions is None:
        import_record.forget(site)
        return
    digests = text_digests(text, positions, import_record.text_key())
    names = [file.nodes[index].name for index in range(len(file.nodes))]
    import_record.store(site, digests, names, objects, import_record.state_digest(site))


def _record(site: Site, diff: ImportDiff, now: datetime) -> None:
    message = f"{site.name} was imported: {_imported(site.name, diff)}"
    events.record(site, EventKind.SITE_IMPORTED, message, at=now, subject=site.name)


def _imported(site: str, diff: ImportDiff) -> Imported:
    return Imported(site, diff.created, diff.changed, diff.removed, diff.unchanged)
