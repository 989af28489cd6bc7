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
  it("says how many nodes would be different, and whether there is a warning", () => {
    expect(headline(planned(), null)).toBe("8 nodes would be different in 2 ways; 1 warning to read.");
  });

  it("says first what keeps a plan from being applied", () => {
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
    ).toContain("plan again: sp01 runs");
    expect(headline({ ...planned(), plan: { ...plan, shapes: [] } }, null)).toContain(
      "Nothing would be different",
    );
    const shape = { nodes: ["sp01", "sp02"], differences: [], files: [] };
    const arp = { shapes: [shape], hand_overs: [], entries: [], at_once: true };
    expect(headline({ ...planned(), plan: { ...plan, shapes: [], arp } }, null)).toContain(
      "would be different in 1 way;",
    );
  });

  it("counts down while a wave waits, and never promises a rollback that is already due", () => {
    expect(headline(confirming(), 107)).toBe(
      "Wave 1 of 3 waits for you: 01:47 left, then the guards roll back.",
    );
    expect(headline(confirming(), -1)).toBe("Nobody confirmed in time: the guards put the nodes back.");
  });

  it("claims a rollback only as far as it was proven", () => {
    const back = change(NOW, 41) as ChangeDetail;
    expect(headline(back, null)).toMatch(
      /^Rolled back, 1 of 1 node proven to be as before: sp01: 10\.9\.0\.1/,
    );
    const doubtful = {
      ...back,
      members: back.members.map((one) => ({
        ...one,
        evidence: one.evidence.map((item) => ({ ...item, ok: false })),
      })),
    };
    expect(headline(doubtful, null)).toMatch(/^Rolled back, 0 of 1 node proven/);
  });
});

it("a node is proven by what was read again, never by silence", () => {
  const looked = { what: "kernel", ok: true, found: "as before", stage: "restored" } as const;
  const lost = { what: "grf1 at 10.1.0.77", ok: false, found: "5 of 5 lost", stage: "probed" } as const;
  expect(isProven({ state: "rolled_back", evidence: [looked], before: "", after: "" })).toBe(true);
  expect(isProven({ state: "rolled_back", evidence: [lost, looked], before: "", after: "" })).toBe(true);
  expect(
    isProven({ state: "rolled_back", evidence: [lost, { ...looked, ok: false }], before: "a", after: "a" }),
  ).toBe(false);
  expect(isProven({ state: "rolled_back", evidence: [], before: "a", after: "b" })).toBe(false);
  expect(isProven({ state: "failed", evidence: [looked], before: "", after: "" })).toBe(false);
});

it("a change that left the way is shown as far as it came", () => {
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

  it("wait for a person when every node of them is applied", () => {
    expect(
      waves(confirming())
        .map(({ state }) => state)
        .slice(0, 2),
    ).toEqual(["to confirm", "waiting"]);
  });

  it("show one node that went back as the wave that went back", () => {
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

it("reads what blocks first and keeps today first among the failures", () => {
  expect(
    Object.entries(byLevel(planOf(NOW).checks)).map(([level, checks]) => [level, checks.length]),
  ).toEqual([
    ["failed", 0],
    ["warning", 1],
    ["passed", 3],
  ]);
  expect(worstFirst(IMPACTS).map(impactKey)).toEqual(["none", "link:1", "node:10", "node:9"]);
  expect(impactsHeadline(IMPACTS)).toBe(
    "Of 3 single failures 1 would cut nodes off, 1 would fill a link, 1 would be survived.",
  );
});

it("the mock goes the way of a real change", () => {
  expect(
    ["approve", "apply", "confirm", "confirm", "confirm"].map((verb) => act(NOW, 42, verb, {})?.state),
  ).toEqual(["approved", "confirming", "confirming", "confirming", "done"]);
});
