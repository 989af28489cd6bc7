"""Rules and metric limits of the site file: import, ownership, errors, and the round trip of the export."""

from __future__ import annotations

import pytest
import yaml

from backstay.alerts import rule_editing, rule_file
from backstay.alerts.models import SiteRule
from backstay.alerts.rule_editing import Author
from backstay.alerts.rule_models import MetricLimit, RuleOverride
from backstay.api.tests.world import World, site_file
from backstay.core.alerting.overrides import ScopedOverride
from backstay.intake.site_files import Imported, import_text
from backstay.inventory.models import Site
from backstay.inventory.site_file.errors import InvalidSiteFile

pytestmark = pytest.mark.slow

SECTIONS = """
rules:
- rule: saturation
  parameters:
    raise_at: 0.85
    samples: 5.0
- rule: saturation
  role: gateway
  severity: critical
- rule: saturation
  port: grf1:ga030
  parameters:
    raise_at: 0.95
- rule: saturation_peak
  enabled: true
- rule: clock
  fabric: sp-switch
  enabled: false
metric_limits:
- name: hot
  metric: entity.temperature
  subject: temp*
  role: gateway
  above: 60.0
  clear: 55.0
  for_s: 30.0
  severity: critical
"""


def imported(world: World, sections: str, *, dry_run: bool = False) -> Imported:
    whole = yaml.safe_load(site_file(3, "argonne")) | (yaml.safe_load(sections) or {})
    return import_text(yaml.safe_dump(whole), "argonne.yaml", world.now, dry_run=dry_run)


@pytest.fixture
def world(db: None) -> World:
    return World.make()


def counts() -> tuple[int, int, int]:
    changed = SiteRule.objects.filter(origin="file").count()
    return changed, RuleOverride.objects.count(), MetricLimit.objects.count()


def test_import_applies_both_sections_once(world: World) -> None:
    assert imported(world, SECTIONS, dry_run=True).changed == 6
    assert counts() == (0, 0, 0)
    assert imported(world, SECTIONS).changed == 6
    assert counts() == (2, 3, 1)
    rule = SiteRule.objects.get(kind="saturation")
    assert (rule.parameters, rule.severity, rule.origin) == ({"raise_at": 0.85, "samples": 5}, "", "file")
    assert SiteRule.objects.get(kind="saturation_peak").enabled
    assert imported(world, SECTIONS).changed == 0, "a second import changes nothing"


def test_what_the_file_drops_is_removed_and_what_operators_set_stays(world: World) -> None:
    own = ScopedOverride("role", "compute", enabled=False)
    rule_editing.set_override(world.site, "clock", own, Author(None), world.now)
    imported(world, SECTIONS)
    imported(world, "")
    assert counts() == (0, 1, 0)
    assert SiteRule.objects.get(kind="saturation").parameters == {}
    assert not SiteRule.objects.get(kind="saturation_peak").enabled


def test_export_is_what_an_import_reads(world: World) -> None:
    imported(world, SECTIONS)
    text = rule_file.exported(world.site)
    assert "port: grf1:ga030" in text
    imported(world, "")
    assert "port" not in rule_file.exported(world.site)
    imported(world, text)
    assert rule_file.exported(Site.objects.get(name="argonne")) == text


@pytest.mark.parametrize(
    ("sections", "expected"),
    [
        ("rules: [{rule: saturatoin}]", "rules[0].rule: expected one of"),
        (
            "rules: [{rule: saturation, parameters: {raise_at: 3}}]",
            "parameters.raise_at: expected a number from",
        ),
        (
            "rules: [{rule: saturation, parameters: {raise_at: 0.5}}]",
            "parameters.clear_at: expected at most raise_at",
        ),
        (
            "rules: [{rule: saturation, role: nobody, enabled: false}]",
            "role: expected the role of nodes of this site",
        ),
        ("rules: [{rule: path_dead, role: compute, enabled: false}]", "role: expected site"),
        ("rules: [{rule: clock, role: compute, fabric: css, enabled: false}]", "at most one of fabric, role"),
        ("rules: [{rule: clock, enabled: false}, {rule: clock, enabled: true}]", "each rule once"),
        ("metric_limits: [{name: a, metric: no.such, above: 1}]", "metric: expected the name of a metric"),
        (
            "metric_limits: [{name: a, metric: ib.link_width, above: 1}]",
            "metric: expected a metric with numbers",
        ),
        (
            "metric_limits: [{name: a, metric: host.users, above: 1, clear: 2}]",
            "clear: expected at most above, 1",
        ),
        ("metric_limits: [{name: a, metric: host.users}]", "either above or below"),
    ],
)
def test_errors_name_the_line_and_what_is_expected(world: World, sections: str, expected: str) -> None:
    with pytest.raises(InvalidSiteFile) as refused:
        imported(world, f"\n{sections}\n")
    texts = [str(error) for error in refused.value.errors]
    assert any(expected in text for text in texts), texts
    assert counts() == (0, 0, 0)
