import { beforeEach, describe, expect, it } from "vitest";
import type { ChangeDetail } from "@/api/types";
import { act, change, forget } from "@/mocks/changes";
import { IMPACTS, planOf } from "@/mocks/plan";
import {
  byLevel,
  headline,
  impactKey,
  impactsHeadline,
  isProven,
  namesOf,
  nodesByState,
  stepReached,
  waves,
  worstFirst,
} from "./labels";

const NOW = Date.parse("2026-05-01T12:00:00Z");
const planned = () => change(NOW, 42) as ChangeDetail;
const confirming = (): ChangeDetail => {
  const base = planned();
  const first = {
    ...(change(NOW, 41) as ChangeDetail).members[0],
    node: "sp01",
    wave: 0,
    state: "applied",
    reason: "",
  } as ChangeDetail["members"][number];
  return {
    ...base,
    state: "confirming",
    wave: 0,
    members: [first, { ...first, node: "sp02", wave: 1, state: "pending" }],
    progress: [
      { wave: 0, nodes: 1, states: { applied: 1 } },
      { wave: 1, nodes: 1, states: { pending: 1 } },
    ],
  };
};

beforeEach(forget);

describe("the headline", () => {
  it("names the nodes that keep a stopped change", () => {
    const text = "stopped at wave 2 of 4; 1 of 5 nodes keeps the change: no answer";
    const stopped = { ...planned(), state: "stopped", state_text: text } as const;
    expect(headline(stopped, null)).toBe("Stopped at wave 2 of 4; 1 of 5 nodes keeps the change: no answer.");
  });

  it("counts changed nodes and warnings", () => {
    expect(headline(planned(), null)).toBe("Changes 8 nodes in 2 variants; 1 warning to accept.");
  });

  it("names what blocks a plan first", () => {
    const plan = planOf(NOW);
    const failed = { ...plan.checks[0], level: "failed" } as const;
    expect(
      headline(
        { ...planned(), plan: { ...plan, blocked: true, checks: [failed as (typeof plan.checks)[number]] } },
        null,
      ),
    ).toBe("1 check blocks this plan: gateway on link.");
    expect(
      headline(
        { ...planned(), plan: { ...plan, stale: true, stale_because: "sp01 runs something else now." } },
        null,
      ),
    ).toContain("replan: sp01 runs");
    const empty = { ...plan, shapes: [], counts: { ...plan.counts, shapes: 0 } };
    expect(headline({ ...planned(), plan: empty }, null)).toContain("No changes");
    const shape = { nodes: ["sp01", "sp02"], differences: [], files: [] };
    const arp = { shapes: [shape], hand_overs: [], entries: [], at_once: true };
    expect(headline({ ...planned(), plan: { ...empty, arp } }, null)).toContain("in 1 variant;");
  });

  it("counts down while a wave awaits confirmation", () => {
    expect(headline(confirming(), 107)).toBe(
      "Wave 1 of 3 awaits confirmation: 01:47 left before automatic rollback.",
    );
    expect(headline(confirming(), -1)).toBe("Confirmation timed out: the guards roll the nodes back.");
  });

  it("claims a rollback only as far as it was verified", () => {
    const back = change(NOW, 41) as ChangeDetail;
    expect(headline(back, null)).toMatch(/^Rolled back, 1 of 1 node verified as restored: sp01: 10\.9\.0\.1/);
    const doubtful = { ...back, restored: { touched: 1, verified: 0, node_id: 1, node: "sp01" } };
    expect(headline(doubtful, null)).toMatch(/^Rolled back, 0 of 1 node verified/);
  });
});

it("a node is verified by restored evidence, never by missing evidence", () => {
  const restored = { stage: "restored", good: 2, total: 2 } as const;
  const lost = { stage: "probed", good: 0, total: 1 } as const;
  expect(isProven({ state: "rolled_back", checks: [restored], as_before: false })).toBe(true);
  expect(isProven({ state: "rolled_back", checks: [lost, restored], as_before: false })).toBe(true);
  expect(isProven({ state: "rolled_back", checks: [lost, { ...restored, good: 1 }], as_before: true })).toBe(
    false,
  );
  expect(isProven({ state: "rolled_back", checks: [], as_before: false })).toBe(false);
  expect(isProven({ state: "rolled_back", checks: [lost], as_before: true })).toBe(true);
  expect(isProven({ state: "failed", checks: [restored], as_before: true })).toBe(false);
});

it("an unfinished change shows the last step reached", () => {
  const { progress } = confirming();
  expect(stepReached({ state: "confirming", progress: [] })).toBe(4);
  expect(stepReached({ state: "rolled_back", progress })).toBe(4);
  const refused = [{ wave: 0, nodes: 2, states: { refused: 2 } }];
  expect(stepReached({ state: "rolled_back", progress: refused })).toBe(3);
  expect(stepReached({ state: "superseded", progress: [] })).toBe(-1);
});

describe("waves", () => {
  it("are the plan's before anything runs", () => {
    expect(waves(planned()).map(({ names, state }) => [names.length, state])).toEqual([
      [1, "waiting"],
      [2, "waiting"],
      [5, "waiting"],
    ]);
  });

  it("await confirmation when every node is applied", () => {
    expect(
      waves(confirming())
        .map(({ state }) => state)
        .slice(0, 2),
    ).toEqual(["awaiting confirmation", "waiting"]);
  });

  it("show one rolled-back node as a rolled-back wave", () => {
    const base = confirming();
    expect(
      waves({
        ...base,
        state: "rolled_back",
        progress: base.progress.map((one) =>
          one.wave === 0 ? { ...one, states: { confirmed: one.nodes - 1, rolled_back: 1 } } : one,
        ),
      })[0]?.state,
    ).toBe("rolled back");
  });
});

it("counts all nodes of a large change, of which the first are loaded", () => {
  const base = confirming();
  const large: ChangeDetail = {
    ...base,
    has_all_members: false,
    progress: [
      { wave: 0, nodes: 1, states: { confirmed: 1 } },
      { wave: 1, nodes: 9000, states: { applied: 8999, failed: 1 } },
    ],
  };
  expect(nodesByState(large)).toEqual([
    ["confirmed", 1],
    ["applied", 8999],
    ["failed", 1],
  ]);
  expect(waves(large)[1]).toMatchObject({ size: 9000, state: "failed" });
  expect(namesOf(["sp01", "sp02"], 9000)).toBe("sp01, sp02 and 8\u202f998 more");
});

it("sorts checks by level and impacts by severity", () => {
  expect(
    Object.entries(byLevel(planOf(NOW).checks)).map(([level, checks]) => [level, checks.length]),
  ).toEqual([
    ["failed", 0],
    ["warning", 1],
    ["passed", 3],
  ]);
  expect(worstFirst(IMPACTS).map(impactKey)).toEqual(["none", "link:1", "node:10", "node:9"]);
  expect(impactsHeadline(planOf(NOW).counts)).toBe(
    "1 of 3 single failures isolates nodes, 1 overloads a link, 1 is tolerated.",
  );
});

it("the mock follows the lifecycle of a change", () => {
  expect(
    ["approve", "apply", "confirm", "confirm", "confirm"].map((verb) => act(NOW, 42, verb, {})?.state),
  ).toEqual(["approved", "confirming", "confirming", "confirming", "done"]);
});
