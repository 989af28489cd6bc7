/** Changes of the mock API: they follow the lifecycle of real ones and survive a reload. */
import type { Change, ChangeDetail, ChangeNode, ChangeNodeDetail, ChangeVerb } from "@/api/types";
import { DIGEST, planOf, SHAPES, WAVES } from "@/mocks/plan";
import { iso } from "@/mocks/network";

/** Stored state of a change; everything else is derived. */
interface Stage {
  readonly id: number;
  readonly title: string;
  readonly author: string;
  readonly state: Change["state"];
  readonly since: number;
  readonly wave: number | null;
  readonly timeoutS: number;
  readonly approvedBy: string;
  readonly outcome: string;
}

const KEY = "backstay.mock.changes";
const MINUTE = 60_000;

function begun(now: number): Stage[] {
  const stage = (
    id: number,
    title: string,
    state: Change["state"],
    ago: number,
    more: Partial<Stage> = {},
  ): Stage => ({
    id,
    title,
    author: "alice",
    state,
    since: now - ago,
    wave: null,
    timeoutS: 120,
    approvedBy: "",
    outcome: "",
    ...more,
  });
  return [
    stage(42, "SP nodes: grf1, then atmgw", "planned", 4 * MINUTE),
    stage(41, "SP nodes: grf2, then atmgw", "rolled_back", 50 * MINUTE, {
      wave: 0,
      approvedBy: "demo",
      outcome: "10.9.0.1 through grf2 did not answer within 5 s",
    }),
    stage(40, "Router to the SP: grf1, then atmgw", "done", 26 * 60 * MINUTE, {
      wave: 2,
      approvedBy: "demo",
    }),
  ];
}

/** Used outside of a browser. */
let memory: string | null = null;

function read(now: number): Stage[] {
  const stored = globalThis.localStorage?.getItem(KEY) ?? memory;
  const stages = stored == null ? begun(now) : (JSON.parse(stored) as Stage[]);
  // Guards act without the controller.
  return stages.map((one) =>
    one.state === "confirming" && now > one.since + one.timeoutS * 1000
      ? {
          ...one,
          state: "rolled_back",
          since: one.since + one.timeoutS * 1000,
          outcome: "Confirmation timed out",
        }
      : one,
  );
}

function write(stages: readonly Stage[]): void {
  memory = JSON.stringify(stages);
  globalThis.localStorage?.setItem(KEY, memory);
}

const MAY: Partial<Record<Change["state"], ChangeVerb[]>> = {
  planned: ["plan", "approve", "discard"],
  approved: ["plan", "apply", "discard"],
  rolling: ["roll_back"],
  confirming: ["confirm", "roll_back"],
  done: ["undo"],
};

const STATE_TEXT: Record<Change["state"], string> = {
  draft: "being planned",
  planned: "awaiting approval",
  approved: "may be applied",
  rolling: "is being applied",
  confirming: "awaiting confirmation",
  done: "done",
  rolled_back: "rolled back",
  stopped: "stopped",
  failed: "failed",
  superseded: "superseded",
};

function members(stage: Stage): ChangeNode[] {
  return details(stage).map(brief);
}

function details(stage: Stage): ChangeNodeDetail[] {
  if (stage.wave === null) return [];
  return WAVES.flatMap((nodes, wave) => nodes.map((node) => member(stage, node, wave)));
}

/** As the backend counts: by stage, without texts. */
function brief({ evidence, before, after, ...node }: ChangeNodeDetail): ChangeNode {
  const stages = [...new Set(evidence.map(({ stage }) => stage))];
  const checks = stages.map((stage) => {
    const rows = evidence.filter((item) => item.stage === stage);
    return { stage, good: rows.filter(({ ok }) => ok).length, total: rows.length };
  });
  const failed = evidence.filter(({ ok }) => !ok);
  return { ...node, checks, failed, as_before: before !== "" && before === after };
}

export function changeNode(now: number, id: number, node: number): ChangeNodeDetail | null {
  const stage = read(now).find((one) => one.id === id);
  return (stage && details(stage).find(({ node_id }) => node_id === node)) ?? null;
}

function member(stage: Stage, node: string, wave: number): ChangeNodeDetail {
  const reached = stage.wave ?? -1;
  const back = stage.state === "rolled_back" && wave <= reached;
  const confirmed = stage.state === "done" || (stage.state === "confirming" && wave < reached);
  const state: ChangeNode["state"] = back
    ? "rolled_back"
    : confirmed
      ? "confirmed"
      : stage.state === "confirming" && wave === reached
        ? "applied"
        : "pending";
  const before = "0.0.0.0/0 via 10.1.0.15 metric 60\n/etc/bird/bird.conf sha256 1f3a…";
  const after =
    "0.0.0.0/0 via 10.1.0.14 metric 60\n0.0.0.0/0 via 10.1.0.15 metric 70\n/etc/bird/bird.conf sha256 1f3a…";
  return {
    node,
    node_id: Number(node.slice(2)),
    wave,
    engine: SHAPES.find(({ nodes }) => nodes.includes(node))?.engine ?? "kernel",
    state,
    since: iso(stage.since),
    reason: back ? stage.outcome : "",
    by: back ? "guard" : "",
    evidence:
      state === "pending"
        ? []
        : back
          ? [
              {
                what: "0.0.0.0/0 via 10.1.0.14 preference 60 active",
                ok: true,
                found: "new",
                stage: "applied",
              },
              { what: "grf1 at 10.1.0.14", ok: false, found: "5 of 5 lost in 5.0 s", stage: "probed" },
              { what: "kernel routes", ok: true, found: "1 as before", stage: "restored" },
              { what: "/etc/bird/bird.conf", ok: true, found: "sha256 1f3a…, as before", stage: "restored" },
            ]
          : [
              { what: "grf1 at 10.1.0.14", ok: true, found: "answered in 0.4 ms", stage: "probed" },
              { what: "10.9.0.1 through grf1", ok: true, found: "answered in 1.1 ms", stage: "probed" },
              { what: "controller", ok: true, found: "answered after 130 ms", stage: "probed" },
            ],
    before: state === "pending" ? "" : before,
    after: state === "pending" ? "" : back ? before : after,
    guard_until: state === "applied" ? iso(stage.since + stage.timeoutS * 1000) : null,
    checks: [],
    failed: [],
    as_before: false,
  };
}

function listed(stage: Stage, now: number): Change {
  const nodes = members(stage);
  return {
    id: stage.id,
    name: `#${stage.id}`,
    kind: "policies",
    title: stage.title,
    reason: "The GigaRouter is back from repair.",
    ticket: "NET-1998",
    stale: false,
    state: stage.state,
    state_text:
      stage.outcome === "" ? STATE_TEXT[stage.state] : `${STATE_TEXT[stage.state]}: ${stage.outcome}`,
    since: iso(stage.since),
    age_s: (now - stage.since) / 1000,
    author: stage.author,
    site: "argonne",
    policies: ["sp-default"],
    nodes: 8,
    confirmed: nodes.filter(({ state }) => state === "confirmed").length,
    wave: stage.wave,
    waves: WAVES.length,
    confirm_by: stage.state === "confirming" ? iso(stage.since + stage.timeoutS * 1000) : null,
    may: MAY[stage.state] ?? [],
    may_not: stage.state === "planned" ? { apply: "Not approved yet." } : {},
    url: `/changes/${stage.id}`,
  };
}

function whole(stage: Stage, now: number): ChangeDetail {
  const made = stage.since - MINUTE;
  return {
    ...listed(stage, now),
    plan: planOf(made),
    approvals:
      stage.approvedBy === ""
        ? []
        : [{ person: stage.approvedBy, at: iso(stage.since), digest: DIGEST, comment: "Read it." }],
    members: members(stage),
    has_all_members: true,
    ...progressOf(members(stage), stage.outcome),
    history: [
      { at: iso(made), person: stage.author, text: "proposed it" },
      { at: iso(made + 400), person: "", text: "planned: 8 nodes, 2 shapes; 3 checks passed, 1 warning" },
      ...(stage.approvedBy === ""
        ? []
        : [{ at: iso(stage.since), person: stage.approvedBy, text: "approved the plan 9f3c" }]),
      ...(stage.outcome === ""
        ? []
        : [{ at: iso(stage.since), person: "", text: `rolled back: ${stage.outcome}` }]),
    ],
  };
}

/** As the backend counts. */
function progressOf(
  nodes: readonly ChangeNode[],
  outcome: string,
): Pick<ChangeDetail, "progress" | "restored"> {
  const progress = [...Map.groupBy(nodes, ({ wave }) => wave)].map(([wave, own]) => ({
    wave,
    nodes: own.length,
    states: Object.fromEntries(
      [...Map.groupBy(own, ({ state }) => state)].map(([state, same]) => [state, same.length]),
    ),
  }));
  const back = nodes.filter(({ state }) => state === "rolled_back");
  const culprit = nodes.find(({ reason }) => reason !== "" && reason === outcome);
  const restored = {
    touched: back.length,
    verified: back.length,
    node_id: culprit?.node_id ?? null,
    node: culprit?.node ?? "",
  };
  return { progress, restored: outcome === "" ? null : restored };
}

const OVER: ReadonlySet<Change["state"]> = new Set([
  "done",
  "rolled_back",
  "stopped",
  "failed",
  "superseded",
]);

export const changes = (now: number, state: string | null = null): Change[] =>
  read(now)
    .map((stage) => listed(stage, now))
    .filter((one) => state === null || (state === "current" ? !OVER.has(one.state) : one.state === state));

export function change(now: number, id: number): ChangeDetail | null {
  const stage = read(now).find((one) => one.id === id);
  return stage === undefined ? null : whole(stage, now);
}

/** Applies one API verb to a change. */
export function act(
  now: number,
  id: number,
  verb: string,
  body: { timeout_s?: number; reason?: string },
): ChangeDetail | null {
  const stages = read(now);
  const stage = stages.find((one) => one.id === id);
  if (stage === undefined) return null;
  const last = stage.wave === WAVES.length - 1;
  const next: Record<string, Partial<Stage>> = {
    approve: { state: "approved", approvedBy: "demo" },
    apply: { state: "confirming", wave: 0, timeoutS: body.timeout_s ?? 120 },
    confirm: last ? { state: "done" } : { state: "confirming", wave: (stage.wave ?? 0) + 1 },
    "roll-back": {
      state: "rolled_back",
      outcome: body.reason === undefined || body.reason === "" ? "demo rolled it back" : body.reason,
    },
    discard: { state: "superseded" },
    plan: { state: "planned", approvedBy: "" },
  };
  const moved = { ...stage, ...next[verb], since: now };
  write(stages.map((one) => (one.id === id ? moved : one)));
  return whole(moved, now);
}

export function propose(now: number, title: string): ChangeDetail {
  const stages = read(now);
  const fresh: Stage = {
    id: Math.max(...stages.map(({ id }) => id)) + 1,
    title: title === "" ? "SP nodes: grf1, then atmgw" : title,
    author: "demo",
    state: "planned",
    since: now,
    wave: null,
    timeoutS: 120,
    approvedBy: "",
    outcome: "",
  };
  write([fresh, ...stages]);
  return whole(fresh, now);
}

/** Resets to the initial state of a test. */
export function forget(): void {
  memory = null;
  globalThis.localStorage?.removeItem(KEY);
}
