"""Imports a file of which only nodes were edited since the last import; the result is that of a whole import.

The record of that import says whether it may: same program, same rows, and a text that differs only within
nodes. Anything else is left to the whole import, by returning None.
"""

from __future__ import annotations

from dataclasses import dataclass

from backstay.alerts.rule_models import RuleOverride
from backstay.intake import import_record
from backstay.intake.import_record import FileBefore
from backstay.inventory.models import ImportRecord, Site
from backstay.inventory.site_file.edit import Edit, import_edit, isolate
from backstay.inventory.site_file.importer import ImportDiff, lock_import
from backstay.policy.models import Origin, RouteInputs
from backstay.telemetry.evidence_models import JudgedSite


@dataclass(frozen=True, slots=True)
class SiteEdit:
    """An edited file and the record that it was compared with."""

    record: ImportRecord
    before: FileBefore
    edit: Edit


def find_edit(text: str, name: str) -> SiteEdit | None:
    """The edit, without a lock: `import_site_edit` compares again."""
    for found in import_record.candidates(text):
        record = ImportRecord.objects.select_related("site").filter(pk=found.pk).first()
        if record is None or record.head != found.head:
            continue
        before = import_record.load(record)
        edit = isolate(text, name, before.digests, before.names, import_record.text_key())
        if edit is not None:
            return SiteEdit(record, before, edit)
    return None


def import_site_edit(found: SiteEdit) -> tuple[Site, ImportDiff] | None:
    """Write the edit in the caller's transaction; None, and nothing written: everything must be compared."""
    record = found.record
    lock_import(record.site.name)
    site = Site.objects.filter(pk=record.site_id).first()
    if (
        site is None
        or not ImportRecord.objects.filter(
            pk=site.pk, program=record.program, state=record.state, digests=record.digests
        ).exists()
    ):
        return None
    if import_record.state_digest(site) != record.state:
        return None
    policies = site.failover_policies.all()
    stripes = policies.filter(stripe__isnull=False).values_list("stripe__by_label", flat=True)
    selects = (
        policies.filter(origin=Origin.OPERATOR).exists()
        or RuleOverride.objects.filter(rule__site=site).exists()
    )
    diff = import_edit(site, found.edit, selects=selects, label_keys={key for key in stripes if key})
    if diff is None:
        return None
    return site, ImportDiff(changed=diff.changed, unchanged=record.objects_count - diff.changed)


def keep_derived(site: Site, before: int) -> None:
    """Carry what was derived from the version before over to the site's new one.

    Routes of paths depend on ports, links, kinds of nodes and policies, which no edit changes. Evidence also
    depends on labels of extension nodes: it is carried over only where there is nothing to have evidence of.
    """
    RouteInputs.objects.filter(site=site, version=before).update(version=site.version)
    if not site.circuits.exists() and not site.nodes.exclude(extension={}).exists():
        JudgedSite.objects.filter(site=site, version=before).update(version=site.version)


def record_edit(site: Site, found: SiteEdit, *, differs: bool) -> None:
    """Record the edited file, after all that its import wrote."""
    record = found.record
    state = import_record.state_digest(site) if differs else record.state
    import_record.store(site, found.edit.digests, found.before.names, record.objects_count, state)
