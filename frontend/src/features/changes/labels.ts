/** A change in words and in the order of its life. Pure. */
import type { Change, ChangeDetail, ChangeNode, ChangeState, Impact, PlanCheck } from "@/api/types";
import type { StateName } from "@/ui/StateBadge";
import { clockLeft } from "@/util/countdown";
import { count } from "@/util/units";

/** The way of a change that goes well. */
export const STEPS = [
  "draft",
  "planned",
  "approved",
  "rolling",
  "confirming",
  "done",
] as const satisfies readonly ChangeState[];

export const STATE_LABELS: Record<ChangeState, string> = {
  draft: "draft",
  planned: "planned",
  approved: "approved",
  rolling: "rolling",
  confirming: "confirming",
  done: "done",
  rolled_back: "rolled back",
  failed: "failed",
  superseded: "superseded",
};

const STATE_TONE: Record<ChangeState, StateName> = {
  draft: "disabled",
  planned: "disabled",
  approved: "disabled",
  rolling: "warning",
  confirming: "warning",
  done: "ok",
  rolled_back: "warning",
  failed: "critical",
  superseded: "disabled",
};

export const stateTone = (state: ChangeState): StateName => STATE_TONE[state];

export const isOver = (state: ChangeState): boolean =>
  ["done", "rolled_back", "failed", "superseded"].includes(state);

/** A node in one of these was touched. */
const APPLIED: ReadonlySet<ChangeNode["state"]> = new Set([
  "applied",
  "confirming",
  "confirmed",
  "rolling_back",
  "rolled_back",
  "failed",
]);

/** How far along the way a change is or was when it left it; -1 for a discarded one. */
export function stepReached({ state, members }: Pick<ChangeDetail, "state" | "members">): number {
  const at = STEPS.indexOf(state as (typeof STEPS)[number]);
  if (at !== -1) return at;
  if (state === "superseded") return -1;
  return members.some((member) => APPLIED.has(member.state))
    ? STEPS.indexOf("confirming")
    : STEPS.indexOf("rolling");
}

const describeWave = (change: Pick<Change, "wave" | "waves">): string =>
  change.wave === null
    ? `The first of ${count(change.waves, "wave")}`
    : `Wave ${change.wave + 1} of ${change.waves}`;

/** The one sentence of a change's page. `left` in seconds, when something waits. */
export function headline(change: ChangeDetail, left: number | null): string {
  const { plan, nodes, state, confirmed } = change;
  switch (state) {
    case "draft":
      return plan === null ? "Being planned." : plan.summary;
    case "planned":
      return describePlanned(change);
    case "approved":
      return plan?.stale === true
        ? `Approved, but the plan is stale: ${plan.stale_because}`
        : `Approved: ${count(nodes, "node")} in ${count(change.waves, "wave")}. Nothing has been touched yet.`;
    case "rolling":
      return `${describeWave(change)} is being applied: ${confirmed} of ${count(nodes, "node")} confirmed.`;
    case "confirming":
      return left !== null && left <= 0
        ? "Nobody confirmed in time: the guards put the nodes back."
        : `${describeWave(change)} waits for you${left === null ? "" : `: ${clockLeft(left)} left, then the guards roll back`}.`;
    case "done":
      return `${confirmed === nodes ? `All ${count(nodes, "node")}` : `${confirmed} of ${count(nodes, "node")}`} run and have saved what was planned.`;
    case "rolled_back":
      return describeRollback(change);
    case "failed":
      return describeFailure(change);
    case "superseded":
      return "Discarded: no node was touched.";
  }
}

function describePlanned({ plan, nodes }: ChangeDetail): string {
  if (plan === null) return "Being planned.";
  if (plan.stale) return `The plan is stale, plan again: ${plan.stale_because}`;
  const failed = plan.checks.filter(({ level }) => level === "failed").length;
  const warnings = plan.checks.filter(({ level }) => level === "warning").length;
  if (plan.blocked || failed > 0)
    return `${count(failed, "check")} ${failed === 1 ? "blocks" : "block"} this plan: ${failedCheckLabels(plan.checks)}.`;
  const ways = plan.shapes.length + (plan.arp?.shapes.length ?? 0);
  if (ways === 0) return "Nothing would be different: every node already runs and has saved this.";
  return `${count(nodes, "node")} would be different in ${count(ways, "way")}; ${warnings === 0 ? "all checks passed" : `${count(warnings, "warning")} to read`}.`;
}

const failedCheckLabels = (checks: readonly PlanCheck[]): string =>
  [...new Set(byLevel(checks).failed.map(({ check }) => checkLabel(check)))].join(", ");

const describeUntouched = (change: ChangeDetail): string =>
  `Stopped before anything was touched: ${reasonOf(change)}.`;

function describeFailure(change: ChangeDetail): string {
  return change.members.some(wasTouched)
    ? `Failed, a person must look: ${reasonOf(change)}.`
    : describeUntouched(change);
}

function describeRollback(change: ChangeDetail): string {
  const touched = change.members.filter(wasTouched);
  const proven = touched.filter(isProven).length;
  if (touched.length === 0) return describeUntouched(change);
  return `Rolled back, ${proven} of ${count(touched.length, "node")} proven to be as before: ${reasonOf(change)}.`;
}

/** Why a change ended as it did: what its state says, with the node that it comes from. */
export function reasonOf({ state_text, members }: Pick<ChangeDetail, "state_text" | "members">): string {
  const reason = state_text.replace(/^(rolled back|failed): /, "");
  const culprit = members.find((member) => member.reason !== "" && member.reason === reason);
  return culprit === undefined ? reason : `${culprit.node}: ${reason}`;
}

/** Put back, and everything that was read again was as before. Why it had to be put back proves nothing against that. */
export function isProven({
  state,
  evidence,
  before,
  after,
}: Pick<ChangeNode, "state" | "evidence" | "before" | "after">): boolean {
  const again = evidence.filter(({ stage }) => stage === "restored");
  return (
    state === "rolled_back" &&
    again.every(({ ok }) => ok) &&
    (again.length > 0 || (before !== "" && before === after))
  );
}

/** A node that runs, or ran, something else than before. */
export const wasTouched = ({ state, evidence }: Pick<ChangeNode, "state" | "evidence">): boolean =>
  !["pending", "preparing", "prepared", "refused"].includes(state) ||
  evidence.some(({ stage }) => stage === "restored");

/** When a node looked at what, in its order. */
export const STAGES = [
  ["checked", "Checked before anything was touched"],
  ["applied", "Applied"],
  ["probed", "Then looked at"],
  ["saved", "Saved for the next boot"],
  ["restored", "Put back and read again"],
  ["", "Looked at"],
] as const satisfies readonly (readonly [ChangeNode["evidence"][number]["stage"], string])[];

export const NODE_LABELS: Record<ChangeNode["state"], string> = {
  pending: "waiting",
  preparing: "being checked",
  prepared: "checked",
  applying: "being applied",
  applied: "applied, guarded",
  confirming: "saving",
  confirmed: "confirmed",
  rolling_back: "going back",
  rolled_back: "rolled back",
  refused: "refused",
  failed: "failed",
};

const NODE_TONE: Record<ChangeNode["state"], StateName> = {
  pending: "disabled",
  preparing: "disabled",
  prepared: "disabled",
  applying: "warning",
  applied: "warning",
  confirming: "warning",
  confirmed: "ok",
  rolling_back: "warning",
  rolled_back: "warning",
  refused: "critical",
  failed: "critical",
};

export const nodeTone = (state: ChangeNode["state"]): StateName => NODE_TONE[state];

export interface Wave {
  readonly number: number;
  readonly nodes: readonly ChangeNode[];
  readonly names: readonly string[];
  readonly state: "waiting" | "under way" | "to confirm" | "confirmed" | "rolled back" | "failed";
}

function waveOf(change: ChangeDetail, names: readonly string[], number: number): Wave {
  const nodes = change.members.filter((member) => member.wave === number);
  return {
    number,
    nodes,
    names: nodes.length > 0 ? nodes.map(({ node }) => node) : names,
    state: waveState(nodes, change),
  };
}

/** The waves as planned, or as they go. */
export function waves(change: ChangeDetail): Wave[] {
  const planned = change.plan?.waves ?? [];
  const most = Math.max(planned.length, change.waves, ...change.members.map((member) => member.wave + 1));
  return Array.from({ length: most }, (_, number) => waveOf(change, planned[number] ?? [], number)).filter(
    ({ names }) => names.length > 0,
  );
}

function waveState(nodes: readonly ChangeNode[], change: ChangeDetail): Wave["state"] {
  const all = (...states: ChangeNode["state"][]) =>
    nodes.length > 0 && nodes.every(({ state }) => states.includes(state));
  const any = (...states: ChangeNode["state"][]) => nodes.some(({ state }) => states.includes(state));
  if (any("failed", "refused")) return "failed";
  if (any("rolled_back", "rolling_back")) return "rolled back";
  if (all("confirmed")) return "confirmed";
  if (change.state === "confirming" && all("applied", "confirmed") && any("applied")) return "to confirm";
  return any("preparing", "prepared", "applying", "applied", "confirming") ? "under way" : "waiting";
}

export const WAVE_TONE: Record<Wave["state"], StateName> = {
  waiting: "disabled",
  "under way": "warning",
  "to confirm": "warning",
  confirmed: "ok",
  "rolled back": "warning",
  failed: "critical",
};

/** Checks as they are read: what blocks, then what warns, then what passed. */
export function byLevel(checks: readonly PlanCheck[]): {
  failed: PlanCheck[];
  warning: PlanCheck[];
  passed: PlanCheck[];
} {
  const of = (level: PlanCheck["level"]) => checks.filter((check) => check.level === level);
  return { failed: of("failed"), warning: of("warning"), passed: of("passed") };
}

export const checkLabel = (check: string): string => check.replaceAll("_", " ");

export const VERDICT_LABELS: Record<Impact["verdict"], string> = {
  holds: "holds",
  saturates: "saturates",
  cuts_off: "cuts off",
  loops: "loops",
};
const VERDICT_TONE: Record<Impact["verdict"], StateName> = {
  holds: "ok",
  saturates: "warning",
  cuts_off: "critical",
  loops: "critical",
};
export const verdictTone = (verdict: Impact["verdict"]): StateName => VERDICT_TONE[verdict];

const GRAVITY: readonly Impact["verdict"][] = ["loops", "cuts_off", "saturates", "holds"];

/** Impacts worst first, as they came otherwise; today without any failure first of all. */
export function worstFirst(impacts: readonly Impact[]): Impact[] {
  const rank = ({ kind, verdict }: Impact) => (kind === "none" ? -1 : GRAVITY.indexOf(verdict));
  return impacts.toSorted((a, b) => rank(a) - rank(b));
}

/** Names an impact in the URL. */
export const impactKey = ({ kind, id }: Pick<Impact, "kind" | "id">): string =>
  kind === "none" ? "none" : `${kind}:${id}`;

/** The sentence above all impacts. */
export function impactsHeadline(impacts: readonly Impact[]): string {
  const failures = impacts.filter(({ kind }) => kind !== "none");
  const of = (...verdicts: Impact["verdict"][]) =>
    failures.filter(({ verdict }) => verdicts.includes(verdict)).length;
  if (failures.length === 0) return "No failure was looked at.";
  const parts = [
    [of("loops"), "would loop"],
    [of("cuts_off"), "would cut nodes off"],
    [of("saturates"), "would fill a link"],
    [of("holds"), "would be survived"],
  ] as const;
  return `Of ${count(failures.length, "single failure")} ${parts
    .filter(([number]) => number > 0)
    .map(([number, words]) => `${number} ${words}`)
    .join(", ")}.`;
}
