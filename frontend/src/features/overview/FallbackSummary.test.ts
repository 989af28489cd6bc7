import { expect, it } from "vitest";
import { routeOf, summaryOf, type Totals } from "./FallbackSummary";

const QUIET: Totals = {
  paths_total: 10,
  paths_dead: 0,
  paths_on_fallback: 0,
  paths_unknown: 0,
  held_nodes: 0,
};

it("calls all paths preferred only when none is dead, rerouted or unknown", () => {
  expect(summaryOf(QUIET)).toBe("10 of 10 paths on their preferred gateway");
  expect(summaryOf({ ...QUIET, paths_dead: 10 })).toBe("10 dead of 10 paths");
  expect(summaryOf({ ...QUIET, paths_dead: 3, paths_on_fallback: 7, held_nodes: 1 })).toBe(
    "3 dead, 7 on a fallback of 10 paths, 1 node held",
  );
  expect(summaryOf({ ...QUIET, paths_unknown: 1 })).toBe("1 unknown of 10 paths");
});

it("names the gateways in use", () => {
  const grf1 = { name: "grf1", nodes: 8 };
  expect(routeOf({ active: [grf1], preferred: "grf1", rerouted: 0 })).toBe("via grf1");
  expect(routeOf({ active: [{ name: "atmgw", nodes: 8 }], preferred: "grf1", rerouted: 8 })).toBe(
    "via atmgw, not grf1",
  );
  expect(routeOf({ active: [grf1, { name: "", nodes: 2 }], preferred: "grf1", rerouted: 0 })).toBe(
    "via grf1 (8), no gateway (2)",
  );
});
