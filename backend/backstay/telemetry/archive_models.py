"""The archive's manifest: which closed days of samples are stored in which files, and what was verified.

A part is a file of the archive, written from the partition of a day. Once that partition is dropped, the part
is released: it holds the only copy of its samples, never changes, and readers use it.
"""

from __future__ import annotations

from django.db import models


class ArchiveDay(models.Model):
    """A closed UTC day whose partition exists, or existed."""

    day = models.DateField(unique=True)
    planned_at = models.DateTimeField(null=True, help_text="Null: its parts are to be planned anew")
    unreadable_rows = models.PositiveBigIntegerField(
        default=0, help_text="Rows of devices removed before the day was planned: their ports are unknown"
    )
    verified_at = models.DateTimeField(null=True, help_text="Null: not all parts are verified")
    failing_since = models.DateTimeField(null=True, help_text="Null: the last attempt did not fail")
    failure = models.CharField(max_length=300, blank=True, help_text="Why the last attempt failed")


class ArchiveState(models.Model):
    """What the last run did; one row."""

    id = models.SmallIntegerField(primary_key=True, default=1)
    ran_at = models.DateTimeField(help_text="End of the last run")
    succeeded_at = models.DateTimeField(null=True, help_text="End of the last run without a failure")
    failure = models.CharField(max_length=300, blank=True, help_text="Of the last run")
    free_bytes = models.BigIntegerField(null=True, help_text="Of a folder's disk; null: a bucket, or unknown")


class ArchivePart(models.Model):
    """One file: the samples of a range of a site's nodes on one day, or the names of their ports."""

    day = models.ForeignKey(ArchiveDay, on_delete=models.CASCADE, related_name="parts")
    table = models.CharField(max_length=8, help_text="samples, ports")
    site = models.CharField(max_length=50, help_text="The site's name, as in the path")
    number = models.PositiveIntegerField()
    path = models.CharField(max_length=200, unique=True, help_text="Below the archive's root")
    first_node = models.BigIntegerField()
    last_node = models.BigIntegerField()
    source_rows = models.PositiveBigIntegerField(default=0, help_text="Rows of the partition; 0 for ports")
    rows = models.PositiveBigIntegerField(default=0)
    totals = models.JSONField(default=dict, help_text="{column: sum}, computed by PostgreSQL")
    sha256 = models.CharField(max_length=64, blank=True)
    bytes = models.PositiveBigIntegerField(default=0)
    written_at = models.DateTimeField(null=True)
    verified_at = models.DateTimeField(null=True, help_text="When the file read back equalled the partition")
    released_at = models.DateTimeField(null=True, help_text="When the partition was dropped")
    failure = models.CharField(max_length=300, blank=True, help_text="Why the last verification failed")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["day", "table", "site", "number"], name="archive_part_once")
        ]
        indexes = [models.Index(fields=["table", "first_node", "last_node"], name="archive_part_nodes")]
