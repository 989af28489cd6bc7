"""What may not be done to a policy because nodes have it: its name stands in their files."""

from __future__ import annotations

from backstay.core.errors import Conflict, Refused
from backstay.core.formatting import count, listing
from backstay.inventory.models import Node
from backstay.policy.models import FailoverPolicy
from backstay.rollout import selectors
from backstay.rollout.drills.services import UNDER_WAY
from backstay.rollout.models import Change, Drill


def ensure_removable(policy: FailoverPolicy) -> None:
    """Return when the policy may be deleted or renamed. Refused with the next step; Conflict."""
    change = Change.objects.filter(policies=policy, state__in=["rolling", "confirming"]).first()
    if change is not None:
        raise Conflict(f"Change #{change.pk} is bringing {policy.name} about: wait until it is over.")
    drill = Drill.objects.filter(policy=policy, state__in=UNDER_WAY).first()
    if drill is not None:
        raise Conflict(f"Drill #{drill.pk} of {policy.name} is under way: cancel it or wait.")
    nodes = {node for node, name, _ in selectors.confirmed(policy.site) if name == policy.name}
    if nodes:
        names = sorted(Node.objects.filter(pk__in=nodes).values_list("name", flat=True))
        raise Refused(
            f"{count(len(names), 'node has', 'nodes have')} {policy.name} in force ({listing(names)}):"
            " empty its group and bring that about first, which takes its routes from them."
        )
