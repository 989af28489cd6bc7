/** Labels, states and ordering of changes. */
import type {
  Change,
  ChangeDetail,
  ChangeNode,
  ChangeNodeDetail,
  ChangeState,
  Impact,
  Plan,
  PlanCheck,
} from "@/api/types";
import { progressLabels, progressTone } from "@/ui/progress";
import type { StateName } from "@/ui/StateBadge";
import { clockLeft } from "@/util/countdown";
import { count, grouped, partOf } from "@/util/units";

/** States of a successful change, in order. */
export const STEPS = [
  "draft",
  "planned",
  "approved",
  "rolling",
  "confirming",
  "done",
] as const satisfies readonly ChangeState[];

export const STATE_LABELS = progressLabels("change");
export const stateTone = progressTone("change");

export const isOver = (state: ChangeState): boolean =>
  ["done", "rolled_back", "stopped", "failed", "superseded"].includes(state);

/** Node states in which the node was modified. */
const APPLIED: ReadonlySet<ChangeNode["state"]> = new Set([
  "applied",
  "verifying",
  "verified",
  "confirming",
  "confirmed",
  "rolling_back",
  "rolled_back",
  "failed",
]);

type Counts = ChangeDetail["progress"][number]["states"];

const statesOf = (counts: Counts): ChangeNode["state"][] => Object.keys(counts) as ChangeNode["state"][];

/** Number of nodes by state, of all waves. */
export function nodesByState({ progress }: Pick<ChangeDetail, "progress">): [ChangeNode["state"], number][] {
  const found = new Map<ChangeNode["state"], number>();
  for (const { states } of progress)
    for (const state of statesOf(states)) found.set(state, (found.get(state) ?? 0) + (states[state] ?? 0));
  return [...found];
}

/** Index of the last step reached; -1 for a discarded change. */
export function stepReached({ state, progress }: Pick<ChangeDetail, "state" | "progress">): number {
  const at = STEPS.indexOf(state as (typeof STEPS)[number]);
  if (at !== -1) return at;
  if (state === "superseded") return -1;
  return progress.some(({ states }) => statesOf(states).some((reached) => APPLIED.has(reached)))
    ? STEPS.indexOf("confirming")
    : STEPS.indexOf("rolling");
}

const describeWave = (change: Pick<Change, "wave" | "waves">): string =>
  change.wave === null ? `Wave 1 of ${change.waves}` : `Wave ${change.wave + 1} of ${change.waves}`;

/** Headline of a change; `left` is the time to confirm in seconds. */
export function headline(change: ChangeDetail, left: number | null): string {
  const { plan, nodes, state, confirmed } = change;
  switch (state) {
    case "draft":
      return plan === null ? "Planning." : plan.summary;
    case "planned":
      return describePlanned(change);
    case "approved":
      return plan?.stale === true
        ? `Approved, but the plan is stale: ${plan.stale_because}`
        : `Approved: ${count(nodes, "node")} in ${count(change.waves, "wave")}. No node has been changed yet.`;
    case "rolling":
      return `${describeWave(change)} in progress: ${partOf(confirmed, nodes, "node")} confirmed.`;
    case "confirming":
      return left !== null && left <= 0
        ? "Confirmation timed out: the guards roll the nodes back."
        : `${describeWave(change)} awaits confirmation${left === null ? "" : `: ${clockLeft(left)} left before automatic rollback`}.`;
    case "done":
      return `${confirmed === nodes ? `All ${count(nodes, "node")}` : `${partOf(confirmed, nodes, "node")}`} run and saved the plan.`;
    case "rolled_back":
      return describeRollback(change);
    case "stopped":
      return `${change.state_text.charAt(0).toUpperCase()}${change.state_text.slice(1)}.`;
    case "failed":
      return describeFailure(change);
    case "superseded":
      return "Discarded. No node was changed.";
  }
}

function describePlanned({ plan, nodes }: ChangeDetail): string {
  if (plan === null) return "Planning.";
  if (plan.stale) return `The plan is stale, replan: ${plan.stale_because}`;
  const failed = plan.checks.filter(({ level }) => level === "failed").length;
  const warnings = plan.checks.filter(({ level }) => level === "warning").length;
  if (plan.blocked || failed > 0)
    return `${count(failed, "check")} ${failed === 1 ? "blocks" : "block"} this plan: ${failedCheckLabels(plan.checks)}.`;
  const variants = plan.counts.shapes + (plan.arp?.shapes.length ?? 0);
  if (variants === 0) return "No changes: every node already runs and has saved this plan.";
  return `Changes ${count(nodes, "node")} in ${count(variants, "variant")}; ${warnings === 0 ? "all checks passed" : `${count(warnings, "warning")} to accept`}.`;
}

const failedCheckLabels = (checks: readonly PlanCheck[]): string =>
  [...new Set(byLevel(checks).failed.map(({ check }) => checkLabel(check)))].join(", ");

const describeUntouched = (change: ChangeDetail): string =>
  `Stopped before any node was changed: ${reasonOf(change)}.`;

function describeFailure(change: ChangeDetail): string {
  return (change.restored?.touched ?? 0) > 0
    ? `Failed, manual intervention needed: ${reasonOf(change)}.`
    : describeUntouched(change);
}

function describeRollback(change: ChangeDetail): string {
  const { touched = 0, verified = 0 } = change.restored ?? {};
  if (touched === 0) return describeUntouched(change);
  return `Rolled back, ${partOf(verified, touched, "node")} verified as restored: ${reasonOf(change)}.`;
}

/** Reason of the outcome, prefixed with the node that caused it. */
export function reasonOf({ state_text, restored }: Pick<ChangeDetail, "state_text" | "restored">): string {
  const reason = state_text.replace(/^(rolled back|(stopped|failed)[^:]*): /, "");
  const culprit = restored?.node ?? "";
  return culprit === "" ? reason : `${culprit}: ${reason}`;
}

type Stage = ChangeNodeDetail["evidence"][number]["stage"];

/** Number of a node's checks of one stage; undefined: none. */
export const checksOf = ({ checks }: Pick<ChangeNode, "checks">, stage: Stage) =>
  checks.find((counted) => counted.stage === stage);

/** Whether the node was rolled back and every restored item was verified; checks of other stages are ignored. */
export function isProven(member: Pick<ChangeNode, "state" | "checks" | "as_before">): boolean {
  const again = checksOf(member, "restored");
  if (member.state !== "rolled_back") return false;
  return again === undefined ? member.as_before : again.good === again.total;
}

/** Whether the node's state was modified, even if restored since. */
export const wasTouched = (member: Pick<ChangeNode, "state" | "checks">): boolean =>
  !["pending", "preparing", "prepared", "refused"].includes(member.state) ||
  checksOf(member, "restored") !== undefined;

/** Stages of evidence, in order. */
export const STAGES = [
  ["checked", "Checked before the change"],
  ["applied", "Applied"],
  ["probed", "Probed"],
  ["verified", "Verified before saving"],
  ["saved", "Saved for the next boot"],
  ["restored", "Restored and verified"],
  ["", "Other evidence"],
] as const satisfies readonly (readonly [Stage, string])[];

export const NODE_LABELS = progressLabels("change_node");
export const nodeTone = progressTone("change_node");

export interface Wave {
  readonly number: number;
  /** Number of nodes. */
  readonly size: number;
  /** Loaded nodes. */
  readonly nodes: readonly ChangeNode[];
  /** First names of a planned wave. */
  readonly names: readonly string[];
  readonly state:
    | "waiting"
    | "in progress"
    | "awaiting confirmation"
    | "confirmed"
    | "rolled back"
    | "failed";
}

/** The planned waves with the progress of all their nodes, and those nodes of them that are loaded. */
export function waves(change: ChangeDetail, loaded: readonly ChangeNode[] = change.members): Wave[] {
  const sizes = change.plan?.counts.waves ?? [];
  const counted = new Map(change.progress.map((wave) => [wave.wave, wave]));
  const most = Math.max(sizes.length, change.waves, ...change.progress.map(({ wave }) => wave + 1));
  const nodesOf = Map.groupBy(loaded, ({ wave }) => wave);
  return Array.from({ length: most }, (_, number) => {
    const begun = counted.get(number);
    return {
      number,
      size: begun?.nodes ?? sizes[number] ?? 0,
      nodes: nodesOf.get(number) ?? [],
      names: change.plan?.waves[number] ?? [],
      state: waveState(statesOf(begun?.states ?? {}), change),
    };
  }).filter(({ size }) => size > 0);
}

function waveState(found: readonly ChangeNode["state"][], change: ChangeDetail): Wave["state"] {
  const all = (...states: ChangeNode["state"][]) =>
    found.length > 0 && found.every((state) => states.includes(state));
  const any = (...states: ChangeNode["state"][]) => found.some((state) => states.includes(state));
  if (any("failed", "refused")) return "failed";
  if (any("rolled_back", "rolling_back")) return "rolled back";
  if (all("confirmed")) return "confirmed";
  if (change.state === "confirming" && all("applied", "confirmed") && any("applied"))
    return "awaiting confirmation";
  return any("preparing", "prepared", "applying", "applied", "verifying", "verified", "confirming")
    ? "in progress"
    : "waiting";
}

export const WAVE_TONE: Record<Wave["state"], StateName> = {
  waiting: "disabled",
  "in progress": "warning",
  "awaiting confirmation": "warning",
  confirmed: "ok",
  "rolled back": "warning",
  failed: "critical",
};

/** Checks by level: failed, warning, passed. */
export function byLevel(checks: readonly PlanCheck[]): {
  failed: PlanCheck[];
  warning: PlanCheck[];
  passed: PlanCheck[];
} {
  const of = (level: PlanCheck["level"]) => checks.filter((check) => check.level === level);
  return { failed: of("failed"), warning: of("warning"), passed: of("passed") };
}

/** `sp01, sp02 and 30 more`: names of which only the first may be listed. */
export const namesOf = (names: readonly string[], total: number): string =>
  names.join(", ") + (total > names.length ? ` and ${grouped(total - names.length)} more` : "");

export const checkLabel = (check: string): string => check.replaceAll("_", " ");

export const VERDICT_LABELS = progressLabels("impact");
export const verdictTone = progressTone("impact");

const SEVERITY_ORDER: readonly Impact["verdict"][] = ["loops", "cuts_off", "saturates", "holds"];

/** Impacts by severity, worst first; the state without a failure comes first of all. */
export function worstFirst(impacts: readonly Impact[]): Impact[] {
  const rank = ({ kind, verdict }: Impact) => (kind === "none" ? -1 : SEVERITY_ORDER.indexOf(verdict));
  return impacts.toSorted((a, b) => rank(a) - rank(b));
}

/** Names an impact in the URL. */
export const impactKey = ({ kind, id }: Pick<Impact, "kind" | "id">): string =>
  kind === "none" ? "none" : `${kind}:${id}`;

/** Summary of the single failures of a plan; `omitted`: further ones that a large plan does not list. */
export function impactsHeadline({ failures }: Pick<Plan["counts"], "failures">, omitted = 0): string {
  const of = (verdict: Impact["verdict"]) => failures[verdict] ?? 0;
  const total = Object.values(failures).reduce((sum, number) => sum + number, 0);
  if (total === 0) return "No failures simulated.";
  const parts = [
    [of("loops"), "causes a forwarding loop", "cause a forwarding loop"],
    [of("cuts_off"), "isolates nodes", "isolate nodes"],
    [of("saturates"), "overloads a link", "overload a link"],
    [of("holds"), "is tolerated", "are tolerated"],
  ] as const;
  const [first = "", ...rest] = parts
    .filter(([number]) => number > 0)
    .map(([number, one, many]) => [number, number === 1 ? one : many] as const)
    .map(([number, text], index) =>
      index === 0 ? `${partOf(number, total, "single failure")} ${text}` : `${number} ${text}`,
    );
  const more = omitted === 0 ? "" : ` ${count(omitted, "further failure")}, none more severe, not listed.`;
  return `${[first, ...rest].join(", ")}.${more}`;
}

/** Headline of the list: changes awaiting action, the most urgent first. */
export function changesHeadline(changes: readonly Change[]): string {
  const of = (...states: Change["state"][]) =>
    changes.filter(({ state, stale }) => !stale && states.includes(state)).length;
  const parts = [
    [of("confirming"), "awaits confirmation", "await confirmation"],
    [of("rolling"), "is being applied", "are being applied"],
    [of("approved"), "is ready to apply", "are ready to apply"],
    [of("planned"), "awaits approval", "await approval"],
    [changes.filter(({ stale }) => stale).length, "has a stale plan", "have a stale plan"],
    [of("failed"), "failed", "failed"],
  ] as const;
  const summaries = parts
    .filter(([number]) => number > 0)
    .map(([number, one, many], index) =>
      index === 0
        ? `${count(number, "change")} ${number === 1 ? one : many}`
        : `${number} ${number === 1 ? one : many}`,
    );
  return summaries.length === 0 ? "No changes awaiting action." : `${summaries.join(", ")}.`;
}
