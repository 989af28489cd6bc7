"""Conclusions from device metrics, stored so that PostgreSQL sorts and filters lists by them.

A conclusion depends on which collectors' metrics are still fresh. It is therefore stored for every
combination of them, and a query takes the row that is valid now: staleness writes nothing.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from backstay.inventory.models import Circuit, Node, Site


class MetricEvidence(models.Model):
    """A conclusion from a device's metrics, valid while exactly the sets of `current` are fresh."""

    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="+")
    current = ArrayField(models.CharField(max_length=128), help_text="Collectors, by name")
    stale = ArrayField(models.CharField(max_length=128), help_text="Collectors of the same facts, by name")

    class Meta:
        abstract = True


class CircuitEvidence(MetricEvidence):
    """What a device reports of one circuit's ports."""

    circuit = models.ForeignKey(Circuit, on_delete=models.CASCADE, related_name="evidence")
    is_faulty = models.BooleanField(help_text="It does not forward the circuit as declared")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["circuit", "node", "current"], name="circuit_evidence_once")
        ]


class ExtensionEvidence(MetricEvidence):
    """State of an SP extension node, by what its router reports."""

    state = models.CharField(max_length=8)
    place = models.CharField(max_length=32, null=True, help_text="Intended slot")
    address = models.CharField(max_length=64, null=True, help_text="Intended address")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["node", "current"], name="extension_evidence_once")]


class JudgedSite(models.Model):
    """The site's version for which `states.judged` last computed all that depends on it."""

    site = models.OneToOneField(Site, on_delete=models.CASCADE, related_name="judged")
    version = models.PositiveBigIntegerField()
    is_due = models.BooleanField(default=False, help_text="A node's ARP changed since")
