/** Labels of drills, and the form of a new one. */
import type { Drill, DrillIn } from "@/api/types";
import { progressTone } from "@/ui/progress";
import { count, milliseconds } from "@/util/units";

export const drillTone = progressTone("drill");
export const memberTone = progressTone("move");

export function drillsHeadline(drills: readonly Drill[]): string {
  const of = (...states: Drill["state"][]) => drills.filter(({ state }) => states.includes(state));
  if (drills.length === 0) return "No failover drill yet.";
  const parts = [];
  if (of("running", "returning").length > 0) parts.push(`${of("running", "returning").length} running`);
  if (of("scheduled").length > 0) parts.push(`${of("scheduled").length} scheduled`);
  const kept = of("passed");
  if (kept.length > 0)
    parts.push(
      `${kept.length} passed, worst outage ${milliseconds(Math.max(...kept.map(({ worst_outage_ms }) => worst_outage_ms ?? 0)))}`,
    );
  for (const state of ["failed", "refused"] as const)
    if (of(state).length > 0) parts.push(`${of(state).length} ${state}`);
  return parts.length === 0 ? `${count(drills.length, "drill")}, all cancelled.` : `${parts.join(", ")}.`;
}

export interface DrillForm {
  readonly policy: string;
  readonly nodes: string;
  readonly gateway: string;
  readonly seconds: string;
  /** Local wall clock as in the browser's field; empty: now. */
  readonly at: string;
  readonly every_days: string;
  readonly reason: string;
}

export const EMPTY_FORM: DrillForm = {
  policy: "",
  nodes: "",
  gateway: "",
  seconds: "30",
  at: "",
  every_days: "",
  reason: "",
};

/** The request; null without a policy or with an invalid time. */
export function parseDrill(form: DrillForm): DrillIn | null {
  const at = form.at === "" ? null : new Date(form.at);
  if (form.policy === "" || Number.isNaN(at?.getTime() ?? 0)) return null;
  return {
    policy: Number(form.policy),
    nodes: form.nodes.split(/[\s,]+/).filter(Boolean),
    gateway: form.gateway,
    seconds: Number(form.seconds),
    at: at?.toISOString() ?? null,
    every_days: form.every_days === "" ? null : Number(form.every_days),
    reason: form.reason,
  };
}
