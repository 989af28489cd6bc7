"""Labels of links equal the names of their ends, whatever writes links, ports, nodes and fabrics."""

from __future__ import annotations

import random

import pytest
from django.db.models import Case, CharField, F, Value, When
from django.db.models.functions import Concat

from backstay.api.tests.world import World
from backstay.inventory.models import Fabric, Link, Node, Port


def _port(end: str) -> Concat:
    return Concat(f"{end}__node__name", Value(":"), f"{end}__name", output_field=CharField())


def wrong_labels() -> list[tuple[str, str]]:
    """(stored, joined) labels that differ."""
    far = Case(When(b__isnull=True, then="fabric__name"), default=_port("b"), output_field=CharField())
    joined = Concat(_port("a"), Value("-"), far, output_field=CharField())
    return list(
        Link.objects.annotate(joined=joined).exclude(label=F("joined")).values_list("label", "joined")
    )


@pytest.mark.parametrize("seed", range(3))
def test_labels_follow_every_write(db: None, seed: int) -> None:
    World.make()
    assert Link.objects.count() > 3
    assert wrong_labels() == []
    draw = random.Random(seed)
    stale = {link.pk: link for link in Link.objects.all()}
    for number in range(40):
        rows = list(Link.objects.order_by("pk"))
        link = draw.choice(rows)
        match draw.randrange(8):
            case 0:
                Node.objects.filter(pk=link.a.node_id).update(name=f"node{number}")
            case 1:
                port = Port.objects.get(pk=link.a_id)
                port.name = f"port{number}"
                port.save()
            case 2:
                Fabric.objects.filter(pk=link.fabric_id).update(name=f"fabric{number}")
            case 3:
                Link.objects.filter(pk=link.pk).update(b=None)
            case 4:
                link.evidence = [{"source": "lldp"}]
                Link.objects.bulk_update([link], ["evidence"])
            case 5:
                stale[link.pk].save()
            case 6:
                link.b = Port.objects.create(node=link.a.node, name=f"free{number}")
                link.save()
            case _:
                values = {"site": link.site, "fabric": link.fabric, "a": link.a, "b": link.b}
                link.delete()
                (made,) = Link.objects.bulk_create([Link(**values)])
                stale[made.pk] = made
        assert wrong_labels() == []
