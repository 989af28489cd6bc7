import { expect, it } from "vitest";
import type { Change } from "@/api/types";
import { changes, forget } from "@/mocks/changes";
import { changesHeadline, isShown } from "./labels";

forget();
const ALL = changes(Date.parse("2026-05-01T12:00:00Z"));
const ids = (filter: { q?: string; state?: string }) =>
  ALL.filter((one) => isShown(one, { q: "", state: "", ...filter })).map(({ id }) => id);

it("finds by number, title, author and outcome", () => {
  expect(ids({ q: "#41" })).toEqual([41]);
  expect(ids({ q: "did not answer" })).toEqual([41]);
  expect(ids({ q: "ROUTER" })).toEqual([40]);
});

it("filters changes in progress", () => {
  expect(ids({ state: "current" })).toEqual([42]);
  expect(ids({ state: "done" })).toEqual([40]);
});

it("the headline lists waiting changes, the most urgent first", () => {
  const [first] = ALL as [Change, ...Change[]];
  expect(changesHeadline(ALL)).toBe("1 change awaits approval.");
  expect(changesHeadline([first, { ...first, state: "confirming" }, { ...first, state: "approved" }])).toBe(
    "1 change awaits confirmation, 1 is ready to apply, 1 awaits approval.",
  );
  expect(changesHeadline([])).toBe("No changes awaiting action.");
});
