import { expect, it } from "vitest";
import { driftHeadline, grouped, isKnown, sides } from "./DriftPage";
import { drift } from "@/mocks/failover";

const ROWS = drift(Date.parse("2026-05-01T12:00:00Z"));

it("lists changes on reboot first", () => {
  const { reboot, other } = grouped(ROWS);
  expect(reboot.map(({ node }) => node)).toEqual(["sp02", "sp03"]);
  expect(other.map(({ node }) => node)).toEqual(["sp06"]);
});

it("does not count a fallback as drift", () => {
  expect(ROWS.filter(isKnown).map(({ node }) => node)).toEqual(["sp03"]);
  expect(driftHeadline(ROWS)).toBe(
    "2 nodes differ from the intended state, 2 change on reboot, 1 on a fallback.",
  );
  expect(driftHeadline(ROWS.filter(isKnown))).toBe("No drift, 1 changes on reboot, 1 on a fallback.");
  expect(driftHeadline([])).toContain("Every managed node");
});

it("marks differing sides, and omits the running side of files", () => {
  const [route, file, fallback] = ROWS.map(({ items }) => items[0]);
  if (route === undefined || file === undefined || fallback === undefined)
    throw new Error("the mock has items");
  expect(sides(route).map(({ name, differs }) => [name, differs])).toEqual([
    ["intended", false],
    ["running", true],
    ["saved", false],
  ]);
  expect(sides(fallback).some(({ differs }) => differs)).toBe(false);
  expect(sides(file).map(({ name, differs }) => [name, differs])).toEqual([
    ["intended", false],
    ["saved", true],
  ]);
});
