import { expect, it } from "vitest";
import { parseDrill, drillsHeadline, EMPTY_FORM } from "./drills";
import { drills } from "@/mocks/failover";

it("counts scheduled, passed and refused drills", () => {
  expect(drillsHeadline(drills(Date.parse("2026-05-01T12:00:00Z")))).toBe(
    "1 scheduled, 1 passed, worst outage 3.2 ms, 1 refused.",
  );
  expect(drillsHeadline([])).toBe("No failover drill yet.");
});

it("converts the form to a request", () => {
  expect(parseDrill(EMPTY_FORM)).toBeNull();
  expect(parseDrill({ ...EMPTY_FORM, policy: "7", nodes: "sp01, sp02" })).toEqual({
    policy: 7,
    nodes: ["sp01", "sp02"],
    gateway: "",
    seconds: 30,
    at: null,
    every_days: null,
    reason: "",
  });
  const later = parseDrill({ ...EMPTY_FORM, policy: "7", at: "2026-05-02T03:00", every_days: "30" });
  expect(later?.at).toBe(new Date("2026-05-02T03:00").toISOString());
  expect(later?.every_days).toBe(30);
  expect(parseDrill({ ...EMPTY_FORM, policy: "7", at: "soon" })).toBeNull();
});
