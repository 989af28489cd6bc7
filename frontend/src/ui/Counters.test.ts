import { expect, it } from "vitest";
import { nowWords, type Counter } from "@/ui/Counters";
import { amount } from "@/util/units";

const counter: Counter = {
  name: "ib.symbol_errors", title: "Symbol errors", kind: "growth", unit: "errors", sentence: "", source: "", state: "warning",
  parts: 16, affected: 1, total: 6, per_s: 0.25, words: {}, worst: [],
};

it("tells a growth as a rate, a state as its words and a level by how many have it", () => {
  expect(nowWords(counter)).toBe("0.25 errors/s");
  expect(nowWords({ ...counter, unit: "" })).toBe("0.25/s");
  expect(nowWords({ ...counter, per_s: null })).toBe("–");
  expect(nowWords({ ...counter, kind: "state", words: { running: 2, panic: 1 } })).toBe("2 running, 1 panic");
  expect(nowWords({ ...counter, kind: "level" })).toBe("1 part above zero");
});

it("writes small figures exactly and great ones grouped", () => {
  expect([amount(0.123456), amount(3), amount(65520), amount(null)]).toEqual(["0.123", "3", "65\u202f520", "–"]);
});
