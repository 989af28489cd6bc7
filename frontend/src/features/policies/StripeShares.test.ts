import { describe, expect, it } from "vitest";
import { describeBalance, backupState, describeLoss, type Share } from "./StripeShares";

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
  it("rates a backup by its utilisation after a failure", () => {
    expect([0.2, 0.8, 1, null].map((utilisation) => backupState({ utilisation }).label)).toEqual([
      "sufficient",
      "nearly full",
      "overloaded",
      "unknown",
    ]);
  });

  it("names the failure with the highest utilisation", () => {
    expect(describeLoss([share("gw1", "gw2", 0.14), share("gw2", "gw3", 0.31)])).toBe(
      "Any single gateway failure is tolerated at the current load: at most 31 % on gw3 if gw2 fails.",
    );
    expect(describeLoss([share("gw1", "gw2", 1.2), share("gw2", "gw3", 0.3)])).toBe(
      "If gw1 fails, gw2 is overloaded at the current load: 120 %.",
    );
  });

  it("reports a missing backup first, and ignores unmeasured loads", () => {
    expect(describeLoss([share("gw1", "gw2", 0.1), share("gw2", "gw1", 0.1, { takes_over: [] })])).toMatch(
      /isolates its nodes/,
    );
    expect(describeLoss([share("gw1", "gw2", null), share("gw2", "gw1", 0.1)])).toMatch(/not measured yet/);
    expect(
      describeLoss([share("gw1", "gw2", 0.1), share("gw2", "gw1", null, { nodes: [], takes_over: [] })]),
    ).toMatch(/^Any single gateway failure/);
  });

  it("describes the balance", () => {
    expect(describeBalance(0)).toBe("The shares are balanced.");
    expect(describeBalance(0.1)).toMatch(/exceeds its target/);
  });
});
