import { describe, expect, it } from "vitest";
import { describeBalance, backupState, describeLoss, type Share } from "./shares";

const share = (
  gateway: string,
  backup: string,
  utilisation: number | null,
  change: Partial<Share> = {},
): Share => ({
  gateway,
  nodes: ["bh001"],
  share: 0.25,
  bps: 10e6,
  usable_bps: 99e6,
  utilisation: 0.1,
  if_lost: { [backup]: 1 },
  takes_over: [{ gateway: backup, nodes: 1, bps: 20e6, utilisation }],
  ...change,
});

describe("shares of a stripe", () => {
  it("says whether a backup can carry what it would get", () => {
    expect([0.2, 0.8, 1, null].map((utilisation) => backupState({ utilisation }).word)).toEqual([
      "holds",
      "nearly full",
      "full",
      "not known",
    ]);
  });

  it("names the loss that fills a backup most", () => {
    expect(describeLoss([share("gw1", "gw2", 0.14), share("gw2", "gw3", 0.31)])).toBe(
      "Any one gateway can be lost at today's load: the fullest would be gw3 without gw2, at 31 %.",
    );
    expect(describeLoss([share("gw1", "gw2", 1.2), share("gw2", "gw3", 0.3)])).toBe(
      "Without gw1, gw2 would be full at today's load: 120 %.",
    );
  });

  it("says first that a gateway has no backup, and nothing of what is not known", () => {
    expect(describeLoss([share("gw1", "gw2", 0.1), share("gw2", "gw1", 0.1, { takes_over: [] })])).toMatch(
      /cuts its nodes off/,
    );
    expect(describeLoss([share("gw1", "gw2", null), share("gw2", "gw1", 0.1)])).toMatch(/not measured yet/);
    expect(
      describeLoss([share("gw1", "gw2", 0.1), share("gw2", "gw1", null, { nodes: [], takes_over: [] })]),
    ).toMatch(/^Any one gateway/);
  });

  it("does not call an even stripe uneven", () => {
    expect(describeBalance(0)).toBe("Every gateway has exactly its due.");
    expect(describeBalance(0.1)).toMatch(/above its due/);
  });
});
