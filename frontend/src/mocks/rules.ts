/** Alert rules of the mock API. */
import type {
  EffectiveValue,
  MetricLimit,
  PortRule,
  Rule,
  RuleOverride,
  RuleParameter,
  RulePreview,
  Unmeasured,
} from "@/api/alerting/rules";

const DAY_MS = 86_400_000;

function parameter(name: string, label: string, unit: RuleParameter["unit"], value: number): RuleParameter {
  const isShare = unit === "share";
  return {
    name,
    label,
    unit,
    type: isShare ? "number" : "integer",
    minimum: isShare ? 0 : 1,
    maximum: isShare ? 1 : 100,
    default: value,
    value,
    help: "Of three samples in a row.",
    whole_site: false,
    below: name === "clear_at" ? "raise_at" : "",
  };
}

export function rules(now: number): Rule[] {
  const rule = (more: Partial<Rule>): Rule => ({
    kind: "saturation",
    name: "Saturation",
    group: "load",
    group_title: "Load",
    summary: "A direction of a link stays near its usable rate.",
    about: "link",
    enabled: true,
    enabled_by_default: true,
    severity: "warning",
    has_own_severity: false,
    parameters: [
      { ...parameter("raise_at", "Opens at", "share", 0.9), value: 0.85 },
      parameter("clear_at", "Resolves below", "share", 0.75),
      parameter("samples", "Samples", "samples", 3),
    ],
    scopes: ["site", "fabric", "role", "label", "port"],
    overrides: 2,
    open_incidents: 1,
    has_preview: true,
    lists_unmeasured: true,
    runbook: "docs/runbooks/saturation.md",
    origin: "operator",
    changed_by: "demo",
    changed_at: new Date(now - DAY_MS).toISOString(),
    ...more,
  });
  return [
    rule({}),
    rule({
      kind: "path_dead",
      name: "Path dead",
      group: "paths",
      group_title: "Paths and gateways",
      summary: "Nodes of a policy have no route, or their target does not answer.",
      about: "site",
      enabled: false,
      severity: "critical",
      parameters: [],
      scopes: ["site"],
      overrides: 0,
      open_incidents: 0,
      has_preview: false,
      lists_unmeasured: false,
      runbook: "docs/runbooks/path-dead.md",
      changed_by: null,
    }),
  ];
}

export function overrides(now: number): RuleOverride[] {
  const at = new Date(now - DAY_MS).toISOString();
  const override = (id: number, more: Partial<RuleOverride>): RuleOverride => ({
    id,
    kind: "saturation",
    scope: "role",
    match: "gateway",
    name: "role gateway",
    enabled: null,
    severity: "critical",
    parameters: { raise_at: 0.8 },
    origin: "operator",
    changed_by: "demo",
    changed_at: at,
    ...more,
  });
  return [
    override(1, {}),
    override(2, {
      scope: "fabric",
      match: "sp-switch",
      name: "fabric sp-switch",
      enabled: false,
      severity: null,
      parameters: {},
      origin: "file",
      changed_by: null,
    }),
  ];
}

/** What applies to a port: an override of its role, settings of the site, and defaults. */
export function portRules(): PortRule[] {
  const value = (
    name: string,
    label: string,
    of: EffectiveValue["value"],
    unit = "",
    source = "default",
  ) => ({ name, label, value: of, unit, source, ties: [] });
  const rule = (kind: PortRule["kind"], name: string, settings: EffectiveValue[]): PortRule => ({
    kind,
    name,
    about: "link",
    enabled: true,
    severity: "critical",
    settings: [value("enabled", "Enabled", true), ...settings],
  });
  return [
    rule("saturation", "Saturation", [
      value("severity", "Severity", "critical", "", "role gateway"),
      value("raise_at", "Opens at", 0.8, "share", "role gateway"),
      value("clear_at", "Resolves below", 0.6, "share", "site"),
      value("samples", "Samples", 3, "samples"),
    ]),
    rule("port_down", "Port down", [
      value("severity", "Severity", "critical"),
      value("after_s", "Opens after", 0, "s"),
    ]),
    { ...rule("path_dead", "Path dead", [value("severity", "Severity", "critical")]), about: "site" },
  ];
}

export const unmeasured = (): Unmeasured[] => [
  { name: "sp09:css0-sp-switch", reason: "neither end reports its rates", url: "/links/9" },
];

export const preview = (now: number): RulePreview => ({
  start: new Date(now - 7 * DAY_MS).toISOString(),
  end: new Date(now).toISOString(),
  incidents: 12,
  objects: 40,
  read: 38,
  worst: [{ name: "grf1:ga030-origin1:at0", incidents: 9 }],
  notes: ["2 of 40 objects have no values in this time."],
});

export const metricLimits = (now: number): MetricLimit[] => [
  {
    id: 8,
    name: "hot",
    metric: "entity.temperature",
    title: "Temperature",
    unit: "°C",
    subject: "temp*",
    role: "",
    labels: { rack: "a1" },
    above: true,
    raise_at: 60,
    clear_at: 55,
    for_s: 60,
    severity: "critical",
    enabled: true,
    origin: "operator",
    changed_by: "demo",
    changed_at: new Date(now - DAY_MS).toISOString(),
  },
];
