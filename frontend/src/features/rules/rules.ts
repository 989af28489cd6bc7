/** Texts of rules: scopes, overrides, previews, limits. */
import type { MetricLimit, Rule, RuleOverride, RulePreview } from "@/api/alerting/rules";
import { settingText } from "./parameters";
import { amount, count, partOf } from "@/util/units";

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

/** `critical, Opens at 80 %`: what an override sets, with the titles and units of the rule's parameters. */
export function settingsText(
  { enabled, severity, parameters }: RuleOverride,
  rule: Pick<Rule, "parameters">,
): string {
  const parts = rule.parameters.flatMap((item) => {
    const value = parameters[item.name];
    return value === undefined ? [] : [settingText(item, value)];
  });
  if (severity !== null) parts.unshift(severity);
  if (enabled !== null) parts.unshift(enabled ? "enabled" : "disabled");
  return parts.join(", ");
}

export const setByText = ({ origin, changed_by }: { origin: string; changed_by: string | null }): string =>
  origin === "file" ? "site file" : (changed_by ?? "–");

export const rulesHeadline = (rules: readonly Rule[]): string => {
  const enabled = rules.filter((rule) => rule.enabled).length;
  const overrides = rules.reduce((sum, rule) => sum + rule.overrides, 0);
  return `${partOf(enabled, rules.length, "rule")} enabled, ${count(overrides, "override")}.`;
};

export function previewText({ incidents, read, objects }: RulePreview): string {
  return `Would have opened ${count(incidents, "incident")} in the last 7 days; ${partOf(read, objects, "object")} have values.`;
}

/** `Temperature above 60 °C`. */
export function limitText({ title, above, raise_at, unit }: MetricLimit): string {
  return `${title} ${above ? "above" : "below"} ${amount(raise_at)}${unit === "" ? "" : ` ${unit}`}`;
}
