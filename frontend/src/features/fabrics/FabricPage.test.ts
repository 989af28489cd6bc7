import { expect, it } from "vitest";
import type { FabricCounter } from "@/api/types";
import { fabricHeadline } from "./FabricPage";

const counter = (title: string, state: FabricCounter["state"]) => ({ title, state }) as FabricCounter;

it("contains the state, conflicting links and counters that need attention", () => {
  const counters = [
    counter("Symbol errors", "warning"),
    counter("Link width", "warning"),
    counter("Packets", "ok"),
  ];
  expect(fabricHeadline({ state_text: "16 of 16 ports report", counters: [], contradicted_links: 0 })).toBe(
    "16 of 16 ports report.",
  );
  expect(fabricHeadline({ state_text: "2 of 16 ports down", counters, contradicted_links: 1 })).toBe(
    "2 of 16 ports down. 1 link in conflict with device reports. Needs attention: “Symbol errors”, “Link width”.",
  );
});
