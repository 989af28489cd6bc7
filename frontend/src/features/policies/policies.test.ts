import { describe, expect, it } from "vitest";
import type { NodeGroup } from "@/api/types";
import {
  emptyDraft,
  DEFAULT_TIMERS,
  detectionTimeMs,
  draftOf,
  validate,
  moveItem,
  withGateways,
  timersFor,
  describeTimers,
} from "./draft";
import { describeGroup, parseLabels, parseNames } from "./group";
import { policies } from "@/mocks/paths";

const group = (more: Partial<NodeGroup>): NodeGroup => ({
  names: [],
  role: "",
  number_from: null,
  number_to: null,
  labels: {},
  ...more,
});

describe("a node group", () => {
  it("parses and formats names and labels", () => {
    expect(parseNames("sp01, sp02  sp0*\nsp01")).toEqual(["sp01", "sp02", "sp0*"]);
    expect(parseLabels("quadrant=2, rack=7 loose")).toEqual({ quadrant: "2", rack: "7" });
    expect(describeGroup(group({ names: ["sp*"], role: "compute", number_to: 8 }))).toBe(
      "sp*; role compute; numbers 0 to 8",
    );
    expect(describeGroup(group({}))).toBe("no nodes");
  });
});

describe("a policy draft", () => {
  it("describes its timers", () => {
    expect(detectionTimeMs(DEFAULT_TIMERS)).toBe(150);
    expect(describeTimers(DEFAULT_TIMERS, "checker")).toMatch(
      /^Detects a failure in 150 ms\. Then the node's engine switches: gated up to 6\.5 s, .*BIRD up to 150 ms.*\. A preferred gateway is up after 1 s and fails back immediately/,
    );
    expect(describeTimers(DEFAULT_TIMERS, "bfd")).not.toContain("engine switches");
    expect(describeTimers({ ...DEFAULT_TIMERS, revert: "manual" }, "bfd")).toContain("fails back manually");
    expect(describeTimers(DEFAULT_TIMERS, "protocol")).toMatch(/^Detects a failure in 3 min/);
    expect(describeTimers({ ...DEFAULT_TIMERS, interval_ms: 5000 }, "protocol")).toMatch(
      /^Detects a failure in 15 s/,
    );
  });

  it("switches between timers of probes and of announcements", () => {
    const announced = timersFor("protocol", DEFAULT_TIMERS);
    expect(announced).toEqual({ ...DEFAULT_TIMERS, interval_ms: 30_000, fail_after: 6 });
    expect(timersFor("protocol", { ...announced, interval_ms: 5000 }).interval_ms).toBe(5000);
    expect(timersFor("bfd", announced)).toEqual(DEFAULT_TIMERS);
  });

  it("validates by field", () => {
    expect(Object.keys(validate(emptyDraft("argonne"), []))).toEqual(["name", "nodes", "gateways"]);
    const whole = {
      ...emptyDraft("argonne"),
      name: "sp6",
      prefix: "::/0",
      gateways: ["grf1"],
      nodes: group({ names: ["sp*"] }),
    };
    expect(validate(whole, [])).toEqual({});
    expect(validate(whole, ["sp6"]).name).toContain("already used");
    expect(validate({ ...whole, prefix: "10.1.0.0" }, []).prefix).toBeDefined();
    expect(
      validate({ ...whole, return_path: { routers: [], prefix: "10.1.0.0/24", target: null } }, [])
        .return_path,
    ).toContain("routers");
  });

  it("drops the weight of a removed gateway, and requires weights above 0", () => {
    const stripe = {
      gateways: ["gw1", "gw2"],
      backups: 1,
      balance: "weight" as const,
      weights: { gw1: 2, gw2: 0 },
      by_label: "",
    };
    const written = { ...emptyDraft("sdsc"), name: "quadrants", nodes: group({ names: ["sp*"] }), stripe };
    expect(validate(written, []).weights).toContain("above 0");
    expect(withGateways(stripe, ["gw1", "gw3"])).toEqual({
      ...stripe,
      gateways: ["gw1", "gw3"],
      weights: { gw1: 2 },
    });
    expect(validate({ ...written, stripe: withGateways(stripe, ["gw1"]) }, [])).toEqual({});
  });

  it("is unchanged after reading and sending", () => {
    const [policy] = policies();
    if (policy === undefined) throw new Error("the mock has policies");
    expect(validate(draftOf(policy), [])).toEqual({});
    expect(draftOf(policy).gateways).toEqual(["grf1", "atmgw"]);
  });

  it("moves a gateway and stops at the ends", () => {
    expect(moveItem(["a", "b", "c"], 2, 1)).toEqual(["a", "c", "b"]);
    expect(moveItem(["a", "b", "c"], 0, -1)).toEqual(["a", "b", "c"]);
    expect(moveItem(["a", "b", "c"], 0, 9)).toEqual(["b", "c", "a"]);
  });
});
