import { describe, expect, it } from "vitest";
import type { Circuit, CircuitHop, CircuitSide } from "@/api/circuits";
import { circuits, circuitVersions } from "@/mocks/circuits";
import {
  circuitsHeadline,
  describePath,
  describeShapes,
  EMPTY_PLAN,
  groupsOf,
  formatLabels,
  planOf,
  sideState,
  describeWire,
} from "./circuits";

const [good, changed, wrong, silent] = circuits() as [Circuit, Circuit, Circuit, Circuit];

/** The side on which a circuit leaves its first node. */
const first = ({ hops }: Circuit) => (hops[0] as CircuitHop).out as CircuitSide;

describe("the list", () => {
  it("counts circuits down and not reported", () => {
    expect(circuitsHeadline(circuits())).toBe("1 of 5 circuits down, 1 not reported.");
    expect(circuitsHeadline([good])).toBe("1 circuit, none reported down.");
    expect(circuitsHeadline([])).toBe("No circuits declared.");
  });

  it("lists every label once", () => {
    expect(formatLabels(good)).toBe("0/130");
    expect(formatLabels(changed)).toBe("0/131 → 0/231");
  });
});

describe("the strip", () => {
  it("marks a link with different labels", () => {
    const [one, other] = wrong.hops as [CircuitHop, CircuitHop];
    expect(describeWire(one, other)).toEqual({ joins: false, text: "0/140 ≠ 0/141" });
    expect(describeWire(...(good.hops as [CircuitHop, CircuitHop]))).toEqual({ joins: true, text: "0/130" });
  });

  it("never shows an unreported side as good", () => {
    expect(sideState(first(silent))).toEqual(["unknown", "not reported"]);
    expect(sideState({ ...first(silent), fault: "x" })[0]).toBe("critical");
    expect(sideState({ ...first(good), fault: "x" })).toEqual(["critical", "up, but mismatched"]);
  });
});

describe("a version", () => {
  it("names ports and labels of each hop, and the rate of each shape once", () => {
    const [, version] = circuitVersions();
    if (version === undefined) throw new Error("the mock has versions");
    expect(describePath(version)).toBe("grf1:ga031 0/131 → asx1:1A1 0/131, 1B1 0/231 → origin2:at0 0/231");
    expect(describeShapes(version.hops)).toBe("atm_oc12, peak 538 Mb/s, high");
    expect(describeShapes([{ shape: null }])).toBe("not declared");
  });
});

describe("the planner's form", () => {
  it("takes counted or named hosts, one group per line", () => {
    expect(groupsOf("nodes 98\n\natm: onyx1, origin1")).toEqual([
      { name: "nodes", count: 98 },
      { name: "atm", nodes: ["onyx1", "origin1"] },
    ]);
    expect(groupsOf("nodes")).toBeNull();
    expect(groupsOf("nodes -3")).toBeNull();
    expect(groupsOf("")).toBeNull();
  });

  it("sends no request while a field is missing", () => {
    expect(planOf("argonne", EMPTY_PLAN)).toEqual({
      site: "argonne",
      groups: [
        { name: "nodes", count: 98 },
        { name: "atm", count: 12 },
      ],
      pattern: "full",
      hub: "grf1",
      kind: "pvc",
      switches: 3,
      means: ["pvc", "svc"],
    });
    expect(planOf("argonne", { ...EMPTY_PLAN, pattern: "hub", hub: " " })).toBeNull();
    expect(planOf("argonne", { ...EMPTY_PLAN, pattern: "between", groups: "nodes 98" })).toBeNull();
    for (const switches of ["0", "65", "x", "1.5"])
      expect(planOf("argonne", { ...EMPTY_PLAN, switches })).toBeNull();
  });
});
