import { expect, it } from "vitest";
import type { Change } from "@/api/types";
import { changes, forget } from "@/mocks/changes";
import { changesHeadline, isShown } from "./list";

forget();
const ALL = changes(Date.parse("2026-05-01T12:00:00Z"));
const ids = (filter: { q?: string; state?: string }) =>
  ALL.filter((one) => isShown(one, { q: "", state: "", ...filter })).map(({ id }) => id);

it("finds by number, title, author and outcome", () => {
  expect(ids({ q: "#41" })).toEqual([41]);
  expect(ids({ q: "did not answer" })).toEqual([41]);
  expect(ids({ q: "ROUTER" })).toEqual([40]);
});

it("knows which are not over", () => {
  expect(ids({ state: "current" })).toEqual([42]);
  expect(ids({ state: "done" })).toEqual([40]);
});

it("says what waits, the most urgent first", () => {
  const [first] = ALL as [Change, ...Change[]];
  expect(changesHeadline(ALL)).toBe("1 change waits for approval.");
  expect(changesHeadline([first, { ...first, state: "confirming" }, { ...first, state: "approved" }])).toBe(
    "1 change waits for confirmation, 1 is approved and may be applied, 1 waits for approval.",
  );
  expect(changesHeadline([])).toBe("Nothing waits for anybody.");
});
