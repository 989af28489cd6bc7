import { expect, it } from "vitest";
import { groupMarks, type Mark } from "@/ui/chart/marks";

const mark = (at: number, more: Partial<Mark> = {}): Mark => ({
  at,
  kind: "incident",
  state: "warning",
  text: `at ${at}`,
  url: "/incidents/1",
  ...more,
});

it("groups marks that would overlap, with the most severe state", () => {
  const groups = groupMarks(
    [mark(10), mark(12, { kind: "failover", state: "critical" }), mark(50, { kind: "test", state: "ok" })],
    { start: 0, end: 100 },
  );
  expect(groups.map(({ share, kind, state, marks }) => [share, kind, state, marks.length])).toEqual([
    [0.11, "several", "critical", 2],
    [0.5, "test", "ok", 1],
  ]);
});

it("omits marks outside of the range", () =>
  expect(groupMarks([mark(-1), mark(101)], { start: 0, end: 100 })).toEqual([]));
