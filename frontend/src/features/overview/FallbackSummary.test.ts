import { expect, it } from "vitest";
import { fallbacks } from "./FallbackSummary";
import type { Path } from "@/api/types";
import { paths } from "@/mocks/answers";

const NOW = Date.parse("2026-05-01T12:00:00Z");

it("counts by policy who carries and who stands ready", () => {
  expect(fallbacks(paths(NOW, "normal"))[0]).toEqual({
    policy: "sp-default",
    prefix: "0.0.0.0/0",
    preferred: "grf1",
    nodes: 8,
    active: [{ name: "grf1", nodes: 8 }],
    onFallback: 0,
    withoutStandby: 0,
  });
});

it("says when nothing stands behind the gateway in use, though all is well otherwise", () => {
  const dead = paths(NOW, "normal").map((path): Path => ({
    ...path,
    gateways: path.gateways.map((gateway) => ({ ...gateway, alive: gateway.active })),
  }));
  expect(fallbacks(dead)[0]).toMatchObject({ onFallback: 0, withoutStandby: 8 });
});

it("does not call an unwatched standby dead", () => {
  const unwatched = paths(NOW, "normal").map((path): Path => ({
    ...path,
    gateways: path.gateways.map((gateway) => ({ ...gateway, alive: null })),
  }));
  expect(fallbacks(unwatched)[0]?.withoutStandby).toBe(0);
});
