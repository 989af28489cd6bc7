import { expect, it } from "vitest";
import { may } from "@/api/permissions";
import type { Person } from "@/api/types";

const person = (role: Person["role"]): Person => ({ username: "x", name: "X", role, csrf_token: "" });

it("operators and above acknowledge open incidents", () => {
  expect(
    (["viewer", "operator", "approver", "admin"] as const).map((role) =>
      may.acknowledge(person(role), { phase: "open" }),
    ),
  ).toEqual([false, true, true, true]);
  expect(may.acknowledge(person("admin"), { phase: "acknowledged" })).toBe(false);
  expect(may.acknowledge(person("admin"), { phase: "resolved" })).toBe(false);
  expect(may.acknowledge(null, { phase: "open" })).toBe(false);
});

it("operators and above edit policies", () => {
  expect(
    (["viewer", "operator", "approver", "admin"] as const).map((role) => may.editPolicies(person(role))),
  ).toEqual([false, true, true, true]);
  expect(may.editPolicies(undefined)).toBe(false);
});

it("only administrators enrol and revoke agents", () => {
  expect((["operator", "approver", "admin"] as const).map((role) => may.enrol(person(role)))).toEqual([
    false,
    false,
    true,
  ]);
  expect(may.revoke(person("admin"), { revoked: true })).toBe(false);
  expect(may.revoke(person("admin"), { revoked: false })).toBe(true);
});
