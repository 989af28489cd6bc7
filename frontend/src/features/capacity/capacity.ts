/** Texts of the capacity pages, and what a scenario is in the URL. Pure. */
import type { FailureDetail, FailureListed, WhatIf, WhatIfQuery } from "@/api/models/capacity";
import { count, rate } from "@/util/units";

export type LoadKind = NonNullable<WhatIfQuery["load"]>;
export type Component = FailureDetail["failed"][number];

/** What fails, how much the traffic grows, and when. */
export interface Scenario {
  /** `node:3`, `link:7`, `fabric:2`, or with names. */
  readonly dead: readonly string[];
  readonly growth: number;
  /** Empty: now. */
  readonly at: string;
  readonly load: LoadKind;
}

export const LOADS: readonly { value: LoadKind; label: string }[] = [
  { value: "mean", label: "Mean" },
  { value: "p95", label: "p95" },
  { value: "peak", label: "Peak second" },
  { value: "worst_hour", label: "Worst hour of 30 d" },
];

export const GROWTH = { least: 0, most: 200, step: 5 } as const;

export function scenarioOf(params: URLSearchParams): Scenario {
  const growth = Number(params.get("growth") ?? 0);
  const load = LOADS.find(({ value }) => value === params.get("load"))?.value ?? "mean";
  return {
    dead: [...new Set(params.getAll("dead").filter((name) => name !== ""))],
    growth: Number.isFinite(growth) ? growth : 0,
    at: params.get("at") ?? "",
    load,
  };
}

/** The URL with this scenario; defaults are left out. */
export function withScenario(params: URLSearchParams, { dead, growth, at, load }: Scenario): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const name of ["dead", "growth", "at", "load"]) next.delete(name);
  for (const one of dead) next.append("dead", one);
  if (growth !== 0) next.set("growth", String(growth));
  if (at !== "") next.set("at", at);
  if (load !== "mean") next.set("load", load);
  return next;
}

export function queryOf({ dead, growth, at, load }: Scenario): WhatIfQuery {
  // The worst hour has its own time.
  return { dead: [...dead], growth, load, ...(at === "" || load === "worst_hour" ? {} : { at }) };
}

export const keyOf = ({ kind, id }: Pick<Component, "kind" | "id">): string => `${kind}:${id}`;

/** The scenario with these components failed, or working again if all of them are failed. */
export function toggled(
  dead: readonly string[],
  failed: readonly Component[],
  chosen: readonly Pick<Component, "kind" | "id">[],
): string[] {
  const keys = new Set(chosen.map(keyOf));
  // The URL may hold names: the answer says which components they are.
  const known = new Set([...dead, ...failed.map(keyOf)]);
  const fresh = [...keys].filter((key) => !known.has(key));
  if (fresh.length > 0) return [...dead, ...fresh];
  const named = failed.filter((one) => keys.has(keyOf(one))).map(({ kind, name }) => `${kind}:${name}`);
  const revived = new Set([...keys, ...named]);
  const rest = dead.filter((one) => !revived.has(one));
  // A member of a shared risk works again: the others stay failed, one by one.
  return rest.length < dead.length ? rest : failed.map(keyOf).filter((key) => !keys.has(key));
}

/** Names of the shared risks that fail: `group:slot3`. */
export const groupsOf = (dead: readonly string[]): string[] =>
  dead.filter((one) => one.startsWith("group:")).map((one) => one.slice("group:".length));

/** `card: grf1:ga030-origin1:at0, grf1:ga031-router:at0 and 2 more`: what a shared risk contains. */
export const membersText = ({ kind, members, members_total }: Members): string =>
  `${kind}: ${namesText(members, members_total)}`;

type Members = Pick<FailureListed, "kind" | "members" | "members_total">;

/** `it would fail at +30 % traffic`; empty: unknown, or nothing moves. */
export function growthText({ growth_percent: growth, verdict }: FailureDetail): string {
  if (growth === null) return "";
  const rounded = Math.floor(Math.abs(growth));
  if (growth < 0) return `${rounded} % less traffic would fit`;
  return verdict === "holds" ? `full at +${rounded} % traffic` : "";
}

/** `28 % of 412 Mb/s is not explained by a policy or an observed path`; empty: everything is. */
export function unexplainedText({ carried_bps, unattributed_bps, unattributed_share }: Unexplained): string {
  if (unattributed_share === null || unattributed_bps === 0) return "";
  const share = Math.max(1, Math.round(unattributed_share * 100));
  return `${share} % of ${rate(carried_bps)} at the gateways is not explained by a policy or an observed path; it stays where it is.`;
}

type Unexplained = Pick<WhatIf, "carried_bps" | "unattributed_bps" | "unattributed_share">;

const OUTCOMES: Record<FailureDetail["moves"][number]["outcome"], string> = {
  moved: "move",
  cut_off: "isolated",
  loop: "routing loop",
  undetected: "not detected",
};

export const outcomeText = (outcome: keyof typeof OUTCOMES): string => OUTCOMES[outcome];

/** `sp01, sp02 and 6 more`. */
export function namesText(names: readonly string[], total: number): string {
  const left = total - names.length;
  const text = names.join(", ");
  if (left <= 0) return text;
  return text === "" ? count(total, "node") : `${text} and ${left} more`;
}
