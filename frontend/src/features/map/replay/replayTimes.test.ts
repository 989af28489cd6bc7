import { expect, it } from "vitest";
import { nextMoment, replaySpan, stepOf } from "./replayTimes";

const NOW = 1_800_000_000;

it("covers the range, or the last hour", () => {
  expect(replaySpan({ from: "now-1h", to: "now" }, NOW - 3600, NOW)).toEqual({ start: NOW - 3600, end: NOW });
  expect(replaySpan({ from: "now", to: "now-1h" }, NOW - 60, NOW)).toEqual({ start: NOW - 3600, end: NOW });
});

it("keeps its length around a moment outside of the range", () => {
  const range = { from: "now-1h", to: "now" };
  for (const at of [NOW - 9000, NOW - 3601, NOW - 1, NOW + 60]) {
    const { start, end } = replaySpan(range, at, NOW);
    expect(end - start).toBe(3600);
    expect(start <= at && at <= end).toBe(true);
  }
});

it("steps to the end in 60 moments, and no further", () => {
  const covered = { start: NOW - 3601, end: NOW };
  expect(stepOf(covered)).toBe(60);
  let at: number | null = covered.start;
  const seen: number[] = [];
  while (at !== null) {
    seen.push(at);
    at = nextMoment(at, covered);
  }
  expect(seen).toHaveLength(62);
  expect(seen.at(-1)).toBe(NOW);
  expect(stepOf({ start: NOW - 5, end: NOW })).toBe(1);
});
