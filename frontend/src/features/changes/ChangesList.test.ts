import { expect, it } from "vitest";
import type { Change } from "@/api/types";
import { changes, forget } from "@/mocks/changes";
import { changesHeadline } from "./labels";

forget();
const ALL = changes(Date.parse("2026-05-01T12:00:00Z"));

it("the headline lists waiting changes, the most urgent first", () => {
  const [first] = ALL as [Change, ...Change[]];
  expect(changesHeadline(ALL)).toBe("1 change awaits approval.");
  expect(changesHeadline([first, { ...first, state: "confirming" }, { ...first, state: "approved" }])).toBe(
    "1 change awaits confirmation, 1 is ready to apply, 1 awaits approval.",
  );
  expect(changesHeadline([first, { ...first, stale: true }])).toBe(
    "1 change awaits approval, 1 has a stale plan.",
  );
  expect(changesHeadline([])).toBe("No changes awaiting action.");
});
