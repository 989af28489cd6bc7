import { describe, expect, it } from "vitest";
import { count, duration, grouped, milliseconds, NONE, offset, percent, rate } from "@/util/units";

describe("rates", () => {
  it.each([
    [0, "0 b/s"],
    [999, "999 b/s"],
    [1000, "1 kb/s"],
    [12_400_000, "12.4 Mb/s"],
    [134_500_000, "134.5 Mb/s"],
    [8_800_000, "8.80 Mb/s"],
    [96_000_000, "96 Mb/s"],
    [999_950, "1 Mb/s"],
    [400e9, "400 Gb/s"],
    [1.6e12, "1.60 Tb/s"],
    [-2_500_000, "-2.50 Mb/s"],
  ])("%d b/s reads %s", (bps, words) => expect(rate(bps)).toBe(words));

  it("are a dash when nothing was heard, never zero", () => {
    expect([null, undefined, Number.NaN].map((missing) => rate(missing))).toEqual([NONE, NONE, NONE]);
  });
});

describe("shares", () => {
  it.each([
    [0, "0 %"],
    [0.00008, "<0.1 %"],
    [0.004, "0.4 %"],
    [0.0949, "9.5 %"],
    [0.0996, "10 %"],
    [0.964, "96 %"],
    [1.02, "102 %"],
  ])("%d reads %s", (share, words) => expect(percent(share)).toBe(words));
});

describe("durations", () => {
  it.each([
    [0, "0 s"],
    [0.4, "0 s"],
    [45, "45 s"],
    [849, "14 min 9 s"],
    [3600, "1 h"],
    [273_600, "3 d 4 h"],
    [-3, "0 s"],
  ])("%d s reads %s", (seconds, words) => expect(duration(seconds)).toBe(words));

  it("skip a unit that is zero rather than show it", () => expect(duration(86_400 + 60)).toBe("1 d"));

  it.each([
    [0, "0 ms"],
    [0.034, "0.03 ms"],
    [2.13, "2.1 ms"],
    [131.4, "131 ms"],
    [4210, "4.2 s"],
    [75_000, "1 min 15 s"],
  ])("%d ms reads %s", (ms, words) => expect(milliseconds(ms)).toBe(words));
});

it("clock offsets carry their sign", () => {
  expect(offset(0.0004)).toBe("+0.4 ms");
  expect(offset(-2.1)).toBe("-2.1 s");
});

it("big counts are grouped by narrow spaces", () => expect(grouped(65_520)).toBe("65\u202f520"));

it("one is singular", () =>
  expect([count(1, "node"), count(2, "node"), count(0, "entry", "entries")]).toEqual([
    "1 node",
    "2 nodes",
    "0 entries",
  ]));
