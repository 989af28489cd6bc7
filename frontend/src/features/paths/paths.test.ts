import { describe, expect, it } from "vitest";
import { matrices, pathsHeadline, gatewayStatus } from "./matrix";
import { track } from "./timeline";
import type { Path } from "@/api/types";
import { events } from "@/mocks/incidents";
import { paths, policies } from "@/mocks/paths";

const NOW = Date.parse("2026-05-01T12:00:00Z");

describe("the matrix", () => {
  it("has one table per policy, gateways in order of preference, nodes in natural order", () => {
    const [first, second] = matrices(paths(NOW, "normal").toReversed(), policies());
    expect(first).toMatchObject({ policy: "sp-default", gateways: ["grf1", "atmgw"], detection: "bfd" });
    expect(first?.rows.map(({ node }) => node)).toEqual([
      "sp01",
      "sp02",
      "sp03",
      "sp04",
      "sp05",
      "sp06",
      "sp07",
      "sp08",
    ]);
    expect(second?.policy).toBe("router-to-sp");
  });

  it("shows paths whose policy is not known yet", () => {
    expect(
      matrices(paths(NOW, "normal"), []).map(({ policy, gateways }) => [policy, gateways.length]),
    ).toContainEqual(["sp-default", 2]);
  });

  it("calls a dead gateway dead even while it is in use", () => {
    expect([
      gatewayStatus({ active: true, alive: true }),
      gatewayStatus({ active: true, alive: false }),
      gatewayStatus({ active: false, alive: true }),
      gatewayStatus({ active: false, alive: null }),
    ]).toEqual(["active", "dead", "standby", "unprobed"]);
  });
});

it("the headline counts fallbacks and paths with no working standby", () => {
  expect(pathsHeadline(paths(NOW, "normal"))).toBe(
    "All 10 paths on the preferred gateway, all with a working standby.",
  );
  expect(pathsHeadline(paths(NOW, "cut"))).toBe("10 of 10 paths on a fallback, 10 with no working standby.");
  expect(pathsHeadline([])).toBe("No failover policies defined.");
});

describe("the timeline", () => {
  const path = paths(NOW, "cut")[0] as Path;
  const all = events(NOW, "cut", new URLSearchParams());
  const [start, end] = [NOW / 1000 - 3600, NOW / 1000];

  it("splits at each switch and keeps its outage", () => {
    const { stretches, switches } = track(path, all, start, end);
    expect(stretches.map(({ gateway, preferred }) => [gateway, preferred])).toEqual([
      ["grf1", true],
      ["atmgw", false],
    ]);
    expect(stretches[0]?.end).toBe(switches[0]?.at);
    expect(switches.map(({ outageMs }) => outageMs)).toEqual([131]);
  });

  it("is one segment of the active gateway without switches", () => {
    expect(track(path, [], start, end).stretches).toEqual([
      { gateway: "atmgw", start, end, preferred: false },
    ]);
  });

  it("omits switches of other nodes and outside the range", () => {
    expect(track(path, all, end - 10, end).switches).toEqual([]);
    expect(track({ ...path, node: "sp99" }, all, start, end).switches).toEqual([]);
  });
});
