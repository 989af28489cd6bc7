/** Texts of rules: values with units, scopes, previews. */
import type { MetricLimit, Rule, RuleOverride, RuleParameter, RulePreview } from "@/api/alerting/rules";
import { amount, count, percent } from "@/util/units";

export const SCOPE_LABELS: Record<RuleOverride["scope"], string> = {
  site: "whole site",
  fabric: "fabric",
  role: "role",
  label: "label",
  port: "port",
};

export const MATCH_HINTS: Record<RuleOverride["scope"], string> = {
  site: "",
  fabric: "sp-switch",
  role: "gateway",
  label: "rack=a1",
  port: "grf1:ga030",
};

export function valueText(value: number, unit: RuleParameter["unit"]): string {
  if (unit === "share") return percent(value);
  return unit === "" ? amount(value) : `${amount(value)} ${unit}`;
}

export const boundsText = ({ minimum, maximum, default: standard, unit }: RuleParameter): string =>
  `${amount(minimum)} to ${amount(maximum)}${unit === "" ? "" : ` ${unit}`}; default ${amount(standard)}`;

export function settingsText({ enabled, severity, parameters }: RuleOverride): string {
  const parts = Object.entries(parameters).map(([name, value]) => `${name} = ${amount(value)}`);
  if (severity !== null) parts.unshift(severity);
  if (enabled !== null) parts.unshift(enabled ? "enabled" : "disabled");
  return parts.join(", ");
}

export const setByText = ({ origin, changed_by }: { origin: string; changed_by: string | null }): string =>
  origin === "file" ? "site file" : (changed_by ?? "–");

export const rulesHeadline = (rules: readonly Rule[]): string => {
  const enabled = rules.filter((rule) => rule.enabled).length;
  const overrides = rules.reduce((sum, rule) => sum + rule.overrides, 0);
  return `${enabled} of ${count(rules.length, "rule")} enabled, ${count(overrides, "override")}.`;
};

export function previewText({ incidents, read, objects }: RulePreview): string {
  return `Would have opened ${count(incidents, "incident")} in the last 7 days; ${read} of ${count(objects, "object")} have values.`;
}

export function limitText({ above, raise_at, unit }: MetricLimit): string {
  return `${above ? "above" : "below"} ${amount(raise_at)}${unit === "" ? "" : ` ${unit}`}`;
}

/** Numbers of filled fields that differ from `left`; what is not a number stays text, which the API refuses. */
export function changedNumbers(
  fields: Readonly<Record<string, string | number>>,
  left: Readonly<Record<string, number>>,
): Record<string, number> {
  const filled = Object.entries(fields).filter(([, value]) => value !== "");
  const numbers = filled.map(([name, value]) => [name, Number(value)] as const);
  return Object.fromEntries(numbers.filter(([name, value]) => value !== left[name]));
}
