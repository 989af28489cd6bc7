import { afterEach, describe, expect, it } from "vitest";
import {
  absolute,
  clock,
  daysRange,
  describe as words,
  describeMoment,
  lastWeekday,
  isRelative,
  moment,
  pastEnd,
  period,
  moved,
  span,
  typed,
  wallDay,
  zoomedOut,
} from "@/util/time";
import cases from "@/util/timeCases.json";
import { zoneChoice } from "@/util/timeZone";

afterEach(() => zoneChoice.set("local"));

const NOW = Date.parse("2026-05-01T12:00:00Z") / 1000;

describe("a chosen moment", () => {
  const now = Date.parse("2026-11-28T09:30:00Z") / 1000;

  it("is the newest past time at an hour of a weekday", () => {
    for (const at of [now, now + 3 * 86_400, now + 2.6 * 86_400]) {
      const found = lastWeekday(1, 10, at);
      expect(found <= at && found > at - 8 * 86_400).toBe(true);
      expect([new Date(found * 1000).getDay(), new Date(found * 1000).getHours()]).toEqual([1, 10]);
    }
    const monday = new Date(2026, 10, 23, 10).getTime() / 1000;
    expect([lastWeekday(1, 10, monday), lastWeekday(1, 10, monday - 1)]).toEqual([
      monday,
      new Date(2026, 10, 16, 10).getTime() / 1000,
    ]);
  });

  it("has a label", () => {
    expect(["", "now-7d", "now-2h", "yesterday", "13:50"].map(describeMoment)).toEqual([
      "now",
      "7 days ago",
      "2 h ago",
      "yesterday",
      "13:50 UTC",
    ]);
  });
});

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

  it.each([
    ["utc", "2026-05-01T10:00:00.000Z", "2026-04-30T13:50:00.000Z"],
    ["local", new Date("2026-05-01T10:00").toISOString(), new Date("2026-04-30T13:50").toISOString()],
  ] as const)("of day, and a day, are those of the chosen zone: %s", (zone, ten, before) => {
    zoneChoice.set(zone);
    const noon = Date.parse(zone === "utc" ? "2026-05-01T12:00Z" : "2026-05-01T12:00") / 1000;
    expect(typed("10:00 to now", noon)?.from).toBe(ten);
    expect(typed("13:50 to 10:00", noon)).toEqual({ from: before, to: ten });
    expect(typed("2026-05-01 10:00 to now", noon)?.from).toBe(ten);
    expect(clock(typed("2026-05-01 to now", noon)?.from)).toBe("2026-05-01 00:00:00");
  });

  it("has whole days of the chosen zone, also where clocks change", () => {
    for (const zone of ["utc", "local"] as const) {
      zoneChoice.set(zone);
      const now = Date.parse("2026-12-24T12:00:00Z") / 1000;
      const range = daysRange("2026-10-24", "2026-10-25", now);
      expect([range.from, range.to].map((at) => clock(at))).toEqual([
        "2026-10-24 00:00:00",
        "2026-10-26 00:00:00",
      ]);
      expect(daysRange("2026-12-20", wallDay(now), now).to).toBe("now");
    }
  });

  it.each(["", "soon", "now to now-1h", "5 parsecs"])("%j is rejected", (text) =>
    expect(typed(text, NOW)).toBeNull(),
  );
});

it("describes relative ranges in words and absolute ranges by their times", () => {
  expect(words({ from: "now-1h", to: "now" })).toBe("last hour");
  expect(words({ from: "now-36h", to: "now" })).toBe("last 36 h");
  zoneChoice.set("utc");
  expect(words({ from: "2026-05-01T10:00:00Z", to: "2026-05-01T11:00:00Z" })).toBe(
    "2026-05-01 10:00 to 2026-05-01 11:00 UTC",
  );
});

it("a brushed range is absolute and covers the selection", () => {
  const range = absolute(NOW + 0.4, NOW + 59.2);
  expect(range).toEqual({ from: "2026-05-01T12:00:00.000Z", to: "2026-05-01T12:01:00.000Z" });
  expect(isRelative(range)).toBe(false);
});
