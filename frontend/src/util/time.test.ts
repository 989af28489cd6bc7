import { describe, expect, it } from "vitest";
import {
  absolute,
  clock,
  describe as words,
  isRelative,
  moment,
  pastEnd,
  period,
  moved,
  span,
  typed,
  zoomedOut,
} from "@/util/time";
import cases from "@/util/timeCases.json";

const NOW = Date.parse("2026-05-01T12:00:00Z") / 1000;

describe("a moment", () => {
  it.each([
    ["now", NOW],
    ["now-15m", NOW - 900],
    ["now - 2 h", NOW - 7200],
    ["now-1w", NOW - 604_800],
    ["2026-05-01T10:00:00Z", NOW - 7200],
  ])("%s is understood", (text, expected) => expect(moment(text, NOW)).toBe(expected));

  it.each(Object.entries(cases.moments))("%s is what it is for the server", (text, expected) =>
    expect(moment(text, cases.now)).toBe(expected),
  );

  it.each(cases.invalid)("%j is not a moment", (text) => expect(moment(text, cases.now)).toBeNull());
});

describe("a span", () => {
  it("follows the clock if it is relative", () => {
    expect(span({ from: "now-1h", to: "now" }, NOW)).toEqual({ start: NOW - 3600, end: NOW });
    expect(span({ from: "now-1h", to: "now" }, NOW + 10)).toEqual({ start: NOW - 3590, end: NOW + 10 });
  });

  it("is undefined if its end is before its start", () =>
    expect(span({ from: "now", to: "now-1h" }, NOW)).toBeNull());
});

describe("a range that moves", () => {
  const iso = (seconds: number): string => new Date((NOW + seconds) * 1000).toISOString();

  it("moves by half, and ends now at the latest", () => {
    const earlier = moved({ from: "now-1h", to: "now" }, -1, NOW);
    expect(earlier).toEqual({ from: iso(-5400), to: iso(-1800) });
    expect(moved(earlier, 1, NOW)).toEqual({ from: "now-3600s", to: "now" });
  });

  it("doubles around its middle, and ends now at the latest", () => {
    expect(zoomedOut({ from: iso(-10_800), to: iso(-7200) }, NOW)).toEqual({
      from: iso(-12_600),
      to: iso(-5400),
    });
    expect(zoomedOut({ from: "now-1h", to: "now" }, NOW)).toEqual({ from: "now-7200s", to: "now" });
  });
});

describe("the end of a range in the past", () => {
  it.each(["now", "now-30s", "2026-05-01T13:00:00Z", "tomorrow"])("%s is none", (to) =>
    expect(pastEnd(to, NOW)).toBeNull(),
  );

  it("is a moment", () => {
    expect(pastEnd("now-1h", NOW)).toBe(NOW - 3600);
    expect(pastEnd("today", NOW)).toBe(NOW - 43_200);
  });
});

describe("a period", () => {
  const at = (seconds: number): string => new Date((NOW + seconds) * 1000).toISOString();
  const time = (seconds: number): string => clock(at(seconds)).slice(11);

  it("names both ends, once the day that is not today", () => {
    expect(period(at(-60), at(-8), NOW)).toBe(`${time(-60)}–${time(-8)}`);
    expect(period(at(-172_860), at(-172_800), NOW)).toBe(`${clock(at(-172_860)).slice(5)}–${time(-172_800)}`);
  });

  it("has one time within a second, and no end while it lasts", () => {
    expect(period(at(-60), at(-60), NOW)).toBe(time(-60));
    expect(period(at(-60), null, NOW)).toBe(`since ${time(-60)}`);
  });
});

describe("a typed time", () => {
  it.each([
    ["6h", { from: "now-6h", to: "now" }],
    ["1y", { from: "now-1y", to: "now" }],
    ["1h 30m", { from: "now-1h30m", to: "now" }],
    ["yesterday", { from: "yesterday", to: "today" }],
    ["now/d", { from: "now/d", to: "now" }],
    ["10:00 to 10:30", { from: "2026-05-01T10:00:00.000Z", to: "2026-05-01T10:30:00.000Z" }],
    ["last 2 d", { from: "now-2d", to: "now" }],
    ["now - 36h", { from: "now-36h", to: "now" }],
    ["now-6h to now-1h", { from: "now-6h", to: "now-1h" }],
    [
      "2026-05-01T10:00:00Z to 2026-05-01T11:00:00Z",
      { from: "2026-05-01T10:00:00.000Z", to: "2026-05-01T11:00:00.000Z" },
    ],
    ["2026-05-01T10:00:00Z..now", { from: "2026-05-01T10:00:00.000Z", to: "now" }],
  ])("%s becomes a range", (text, range) => expect(typed(text, NOW)).toEqual(range));

  it("is local time and is stored in UTC", () => {
    const range = typed("2026-05-01 08:00 to 2026-05-01 09:00", NOW);
    expect(range?.from).toBe(new Date("2026-05-01T08:00").toISOString());
  });

  it.each(["", "soon", "now to now-1h", "5 parsecs"])("%j is rejected", (text) =>
    expect(typed(text, NOW)).toBeNull(),
  );
});

it("describes relative ranges in words and absolute ranges by their times", () => {
  expect(words({ from: "now-1h", to: "now" })).toBe("last hour");
  expect(words({ from: "now-36h", to: "now" })).toBe("last 36 h");
  expect(words({ from: "2026-05-01T10:00:00Z", to: "2026-05-01T11:00:00Z" }, true)).toBe(
    "2026-05-01 10:00 to 2026-05-01 11:00",
  );
});

it("a brushed range is absolute and covers the selection", () => {
  const range = absolute(NOW + 0.4, NOW + 59.2);
  expect(range).toEqual({ from: "2026-05-01T12:00:00.000Z", to: "2026-05-01T12:01:00.000Z" });
  expect(isRelative(range)).toBe(false);
});
