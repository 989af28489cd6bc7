"""Writes of ARP policies. No node changes by them: a change brings one about."""

from __future__ import annotations

from django.db import transaction

from backstay.core.errors import Conflict, Invalid
from backstay.inventory.models import Fabric, Site
from backstay.policy.arp_policy_spec import ArpPolicySpec, validate
from backstay.policy.models import ArpPolicy


@transaction.atomic
def create(site: Site, fabric: str, wish: ArpPolicySpec) -> ArpPolicy:
    """The fabric's policy. Invalid names each mistake by its field; Conflict: the fabric has one."""
    row = Fabric.objects.select_for_update(no_key=True).filter(site=site, name=fabric).first()
    if row is None:
        raise Invalid(
            f"{site.name} has no fabric {fabric}.", fields={"fabric": "the name of a fabric of the site"}
        )
    if ArpPolicy.objects.filter(fabric=row).exists():
        raise Conflict(f"{fabric} has an ARP policy already: change that one.")
    _check(wish)
    return ArpPolicy.objects.create(site=site, fabric=row, **wish.columns())


@transaction.atomic
def update(policy: ArpPolicy, wish: ArpPolicySpec) -> None:
    """Make it this. Invalid as `create`."""
    _check(wish)
    for name, value in wish.columns().items():
        setattr(policy, name, value)
    policy.save()


def _check(wish: ArpPolicySpec) -> None:
    wrong = validate(wish)
    if wrong:
        raise Invalid("The policy is not usable: " + " ".join(wrong.values()), fields=wrong)
