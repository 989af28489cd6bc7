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
    expect(headline({ ...planned(), plan: { ...plan, shapes: [] } }, null)).toContain("No changes");
    const shape = { nodes: ["sp01", "sp02"], differences: [], files: [] };
    const arp = { shapes: [shape], hand_overs: [], entries: [], at_once: true };
    expect(headline({ ...planned(), plan: { ...plan, shapes: [], arp } }, null)).toContain("in 1 variant;");
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
    const doubtful = {
      ...back,
      members: back.members.map((one) => ({
        ...one,
        checks: one.checks.map((item) => ({ ...item, good: 0 })),
      })),
    };
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
  const { members } = confirming();
  expect(stepReached({ state: "confirming", members: [] })).toBe(4);
  expect(stepReached({ state: "rolled_back", members })).toBe(4);
  expect(
    stepReached({ state: "rolled_back", members: members.map((one) => ({ ...one, state: "refused" })) }),
  ).toBe(3);
  expect(stepReached({ state: "superseded", members: [] })).toBe(-1);
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
        members: base.members.map((one) => ({ ...one, state: one.wave === 0 ? "rolled_back" : one.state })),
      })[0]?.state,
    ).toBe("rolled back");
  });
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
  expect(impactsHeadline(IMPACTS)).toBe(
    "1 of 3 single failures isolates nodes, 1 overloads a link, 1 is tolerated.",
  );
});

it("the mock follows the lifecycle of a change", () => {
  expect(
    ["approve", "apply", "confirm", "confirm", "confirm"].map((verb) => act(NOW, 42, verb, {})?.state),
  ).toEqual(["approved", "confirming", "confirming", "confirming", "done"]);
});
