import { expect, it } from "vitest";
import { fallbacks } from "./FallbackSummary";
import type { Path } from "@/api/types";
import { paths } from "@/mocks/paths";

const NOW = Date.parse("2026-05-01T12:00:00Z");

function withStandby(standby: Path["gateways"][number]["standby"]): Path[] {
  return paths(NOW, "normal").map((path) => ({
    ...path,
    gateways: path.gateways.map((gateway) => (gateway.active ? gateway : { ...gateway, standby })),
  }));
}

it("counts active gateways and standbys by policy", () => {
  expect(fallbacks(paths(NOW, "normal"))[0]).toEqual({
    policy: "sp-default",
    prefix: "0.0.0.0/0",
    preferred: "grf1",
    nodes: 8,
    active: [{ name: "grf1", nodes: 8 }],
    onFallback: 0,
    withoutStandby: 0,
    verified: 8,
  });
});

it("counts nodes without a standby even if all are on their preferred gateway", () => {
  expect(fallbacks(withStandby("dead"))[0]).toMatchObject({ onFallback: 0, withoutStandby: 8, verified: 0 });
});

it("calls an unproven standby neither dead nor verified", () => {
  expect(fallbacks(withStandby("not verified"))[0]).toMatchObject({ withoutStandby: 0, verified: 0 });
});
