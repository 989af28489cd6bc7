import { expect, it } from "vitest";
import { linksHeadline, utilisation } from "./LinksPage";
import { notesOf, sourceText, toSeries } from "./history";
import type { Link } from "@/api/types";
import { history, linkDetails } from "@/mocks/network";

const NOW = Date.parse("2026-05-01T12:00:00Z");
const all = linkDetails(NOW, "saturated");
const full = all.find(({ name }) => name === "grf1:ga030-origin1:at0") as Link;

it("the utilisation of a link is the greater of both directions", () => {
  expect(utilisation(full)).toBe(0.975);
  expect(utilisation({ ...full, forward: null, back: null })).toBeNull();
});

it("the headline counts nearly full and down links", () => {
  expect(linksHeadline(all)).toBe("1 of 15 links above 70 % of the usable rate.");
  expect(linksHeadline(linkDetails(NOW, "cut"))).toMatch(/4 down/);
  expect(linksHeadline([])).toBe("No link is above 70 % of its usable rate.");
});

it("the chart draws forward upwards and names the target of each direction", () => {
  const answer = history(full.id, "now-1h", "now", NOW, "saturated");
  const chart = answer && toSeries(answer, full);
  expect([chart?.up.label, chart?.down.label, chart?.capacity]).toEqual([
    "to origin1",
    "to grf1",
    53_800_000,
  ]);
  expect(chart?.up.mean).toBe(answer?.forward_mean);
});

it("a chart of roll-ups says so, and names what is estimated or cannot be read", () => {
  expect(sourceText({ measured_at: "grf1:ga031", level: "samples" })).toBe("measured at grf1:ga031");
  expect(sourceText({ measured_at: "grf1:ga031", level: "1h" })).toBe(
    "measured at grf1:ga031, hourly values",
  );
  expect(notesOf({ p95_exact: true, gaps: [], baseline: null })).toEqual([]);
  const missing = "The archive's file samples/part-0.parquet is missing.";
  const gap = { start: 0, end: 86_400, text: missing };
  const notes = notesOf({ p95_exact: false, gaps: [gap], baseline: null });
  expect(notes[0]).toContain("is an estimate");
  expect(notes[1]).toBe(missing);
});

it("a baseline is drawn if it was asked for, and says on how many weeks it rests", () => {
  const without = history(full.id, "now-1h", "now", NOW, "saturated");
  expect(without && toSeries(without, full).up.usual).toBeNull();
  const answer = history(full.id, "now-1h", "now", NOW, "saturated", true);
  if (answer?.baseline == null) throw new Error("no baseline");
  const chart = toSeries(answer, full);
  expect(chart.up.usual).toBe(answer.baseline.forward);
  expect(chart.down.usual).toBe(answer.baseline.back);
  expect(notesOf(answer)).toEqual([
    "The baseline rests on the hourly means of the same hours (UTC) of 6 earlier weeks. It is unknown where there are fewer than 3.",
  ]);
  const young = { median: [null], low: [null], high: [null], weeks: [2] };
  expect(notesOf({ ...answer, baseline: { forward: young, back: young } })).toEqual([
    "No baseline: fewer than 3 earlier weeks of these hours are stored.",
  ]);
  const some = { median: [1, 1], low: [1, 1], high: [1, 1], weeks: [4, 8] };
  expect(notesOf({ ...answer, baseline: { forward: some, back: some } })[0]).toContain("4 to 8 earlier");
});
