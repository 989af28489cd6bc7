"""Overrides of rules in rounds: parameters, severity and enablement of a part of a site."""

from __future__ import annotations

from typing import Any

import pytest

from backstay.accounts.models import Agent
from backstay.alerts import rule_editing, services
from backstay.alerts.models import Incident, SiteRule
from backstay.alerts.rule_editing import Author
from backstay.api.tests.world import World
from backstay.core.alerting.overrides import ScopedOverride
from backstay.core.errors import Refused
from backstay.core.model.progress import Phase

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("shown_at_once")]

HALF = {"grf1": {"ga030": (1e6, 30e6)}, "origin1": {"at0": (30e6, 1e6)}}
"""56 % of the link from grf1 to origin1."""
FULL = {"grf1": {"ga030": (1e6, 53e6)}, "origin1": {"at0": (53e6, 1e6)}}
SOMEBODY = Author(None)


def rounds(world: World, count: int, rates: Any = None) -> None:
    for _ in range(count):
        world.forward()
        world.sample(rates)
        services.run_round(world.now)


def shown(kind: str) -> dict[str, str]:
    """Subject -> severity of the open incidents of a rule."""
    rows = Incident.objects.filter(phase=Phase.OPEN, rule__kind=kind).order_by("subject")
    return dict(rows.values_list("subject", "own_severity"))


def override(world: World, kind: str, *args: Any, **given: Any) -> None:
    rule_editing.set_override(world.site, kind, ScopedOverride(*args, **given), SOMEBODY, world.now)


def test_override_of_a_port_lowers_the_limit_of_its_link_only(world: World) -> None:
    rounds(world, 4, HALF)
    assert shown("saturation") == {}
    override(world, "saturation", "port", "origin1:at0", parameters={"raise_at": 0.5, "clear_at": 0.4})
    rounds(world, 3, HALF)
    assert shown("saturation") == {"grf1:ga030-origin1:at0": "warning"}
    incident = Incident.objects.get(phase=Phase.OPEN)
    assert (incident.threshold, "Clears below 40 %" in incident.detail) == (0.5, True)
    rounds(world, 4)
    assert shown("saturation") == {}


def test_rule_without_arrays_is_evaluated_with_the_parameters_of_each_node(world: World) -> None:
    """Two compute nodes and a server have 20 waiting reports: the limit differs by role."""
    Agent.objects.filter(node__in=["sp01", "sp02", "origin1"]).update(spool_waiting=20)
    override(
        world, "agent_spool", "role", "compute", parameters={"raise_at": 10, "clear_at": 5, "after_s": 0}
    )
    rounds(world, 1)
    Agent.objects.filter(node__in=["sp01", "sp02", "origin1"]).update(spool_waiting=20)
    services.run_round(world.now)
    assert shown("agent_spool") == {"sp01": "warning", "sp02": "warning"}
    override(world, "agent_spool", "port", "sp01:css0", parameters={"raise_at": 30, "clear_at": 30})
    services.run_round(world.now)
    assert shown("agent_spool") == {"sp01": "warning", "sp02": "warning"}, (
        "a node is not about one of its ports"
    )


def test_severity_and_enablement_of_a_part_apply_to_open_incidents(world: World) -> None:
    rounds(world, 3, FULL)
    assert shown("saturation") == {"grf1:ga030-origin1:at0": "warning"}
    override(world, "saturation", "role", "gateway", severity="critical")
    Incident.objects.filter(rule__kind="saturation").update(phase=Phase.RESOLVED)
    rounds(world, 3, FULL)
    assert shown("saturation") == {"grf1:ga030-origin1:at0": "critical"}
    override(world, "saturation", "port", "grf1:ga030", enabled=False)
    rounds(world, 1, FULL)
    assert shown("saturation") == {}


def test_rule_that_is_disabled_at_the_site_may_be_enabled_for_one_port(world: World) -> None:
    SiteRule.objects.filter(kind="saturation").update(enabled=False)
    override(world, "saturation", "port", "grf1:ga030", enabled=True)
    rounds(world, 3, FULL | {"router": {"at0": (53e6, 53e6)}})
    assert shown("saturation") == {"grf1:ga030-origin1:at0": "warning"}


@pytest.mark.parametrize(
    ("kind", "wanted", "fields"),
    [
        ("saturation", ScopedOverride("role", "nobody", enabled=False), {"match"}),
        ("saturation", ScopedOverride("port", "grf1:none", enabled=False), {"match"}),
        ("saturation", ScopedOverride("label", "rack", enabled=False), {"match"}),
        (
            "saturation",
            ScopedOverride("fabric", "sp-switch", parameters={"raise_at": 2}),
            {"parameters.raise_at"},
        ),
        (
            "saturation",
            ScopedOverride("fabric", "sp-switch", parameters={"raise_at": 0.5}),
            {"parameters.clear_at"},
        ),
        ("saturation", ScopedOverride("fabric", "sp-switch", severity="fatal"), {"severity"}),
        ("saturation", ScopedOverride("fabric", "sp-switch"), {"parameters"}),
        (
            "load_below_usual",
            ScopedOverride("fabric", "sp-switch", parameters={"hours": 2, "every_s": 600}),
            {"parameters.hours", "parameters.every_s"},
        ),
        ("path_dead", ScopedOverride("role", "compute", enabled=False), {"scope"}),
    ],
)
def test_override_that_cannot_apply_is_refused_with_its_field(
    world: World, kind: str, wanted: ScopedOverride, fields: set[str]
) -> None:
    with pytest.raises(Refused) as refused:
        rule_editing.set_override(world.site, kind, wanted, SOMEBODY, world.now)
    assert refused.value.fields.keys() == fields


def test_what_the_site_file_owns_is_changed_by_it_only(world: World) -> None:
    wanted = ScopedOverride("role", "compute", enabled=False)
    row, is_new = rule_editing.set_override(world.site, "clock", wanted, Author(None, "file"), world.now)
    assert is_new
    with pytest.raises(Refused, match="site file owns the override for role compute"):
        rule_editing.set_override(world.site, "clock", wanted, SOMEBODY, world.now)
    with pytest.raises(Refused, match="site file owns"):
        rule_editing.delete_override(row)
