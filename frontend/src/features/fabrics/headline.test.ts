import { expect, it } from "vitest";
import type { FabricCounter } from "@/api/types";
import { fabricHeadline } from "./headline";

const counter = (title: string, state: FabricCounter["state"]) => ({ title, state }) as FabricCounter;

it("says how well a fabric is, which cables are contradicted and what is worth a look", () => {
  const counters = [
    counter("Symbol errors", "warning"),
    counter("Link width", "warning"),
    counter("Packets", "ok"),
  ];
  expect(fabricHeadline({ state_text: "16 of 16 ports heard", counters: [], contradicted_links: 0 })).toBe(
    "16 of 16 ports heard.",
  );
  expect(fabricHeadline({ state_text: "2 of 16 ports down", counters, contradicted_links: 1 })).toBe(
    "2 of 16 ports down. 1 link contradicted by what its devices say. Worth a look: “Symbol errors”, “Link width”.",
  );
});
