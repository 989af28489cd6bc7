import { expect, it } from "vitest";
import type { Port } from "@/api/types";
import { matchesPort } from "./filter";

const port = {
  name: "Ethernet1/7",
  fabric: "lan",
  kind: "ethernet",
  state: "critical",
  addresses: ["10.1.0.7/24"],
} as Port;

it("finds ports by terms in name, fabric and address, and by state", () => {
  expect(matchesPort(port, { q: "ethernet1/7 lan", state: "" })).toBe(true);
  expect(matchesPort(port, { q: "10.1.0.7", state: "critical" })).toBe(true);
  expect(matchesPort(port, { q: "", state: "ok" })).toBe(false);
  expect(matchesPort(port, { q: "Ethernet1/8", state: "" })).toBe(false);
});
