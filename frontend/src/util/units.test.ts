import { describe, expect, it } from "vitest";
import { formatting } from "@/util/spec.json";
import { byteSize, count, duration, grouped, milliseconds, NONE, offset, percent, rate } from "@/util/units";

const FORMATS = { rate, bytes: byteSize, share: percent, milliseconds, duration, grouped };

describe.each(Object.entries(FORMATS))("%s", (name, format) => {
  const examples = formatting.examples[name as keyof typeof FORMATS] as [number, string][];

  it.each(examples)("%d reads %s", (value, text) => expect(format(value)).toBe(text));

  it("shows a dash for a missing value, never zero", () => {
    expect([null, undefined, Number.NaN].map((missing) => format(missing))).toEqual([NONE, NONE, NONE]);
  });
});

it("formats clock offsets with their sign", () => {
  expect(offset(0.0004)).toBe("+0.4 ms");
  expect(offset(-2.1)).toBe("-2.1 s");
});

it("uses the singular for one", () =>
  expect([count(1, "node"), count(2, "node"), count(0, "entry", "entries")]).toEqual([
    "1 node",
    "2 nodes",
    "0 entries",
  ]));
