import { expect, it } from "vitest";
import { networkFirst, currentValue, type Counter } from "@/ui/lists/Counters";
import { amount } from "@/util/units";

const counter: Counter = {
  name: "ib.symbol_errors",
  title: "Symbol errors",
  kind: "growth",
  unit: "errors",
  sentence: "",
  source: "",
  state: "warning",
  parts: 16,
  affected: 1,
  total: 6,
  per_s: 0.25,
  states: {},
  worst: [],
};

it("formats a rate, the texts of a state and the maximum of a level", () => {
  expect(currentValue(counter)).toBe("0.25 errors/s");
  expect(currentValue({ ...counter, unit: "" })).toBe("0.25/s");
  expect(currentValue({ ...counter, per_s: null })).toBe("–");
  expect(currentValue({ ...counter, kind: "state", states: { running: 2, panic: 1 } })).toBe(
    "2 running, 1 panic",
  );
  const full = { node: "sp01", subject: "/", value: 91.25, reported_state: null, url: "" };
  expect(currentValue({ ...counter, kind: "level", unit: "%", worst: [full] })).toBe("max. 91.3 %");
  expect(currentValue({ ...counter, kind: "level", unit: "", parts: 1 })).toBe("0");
});

it("lists network counters before host counters in state ok", () => {
  const named = (name: string, state: Counter["state"] = "ok"): Counter => ({ ...counter, name, state });
  const rows = [named("host.processes", "warning"), named("host.users"), named("ps32.rejects")];
  expect(networkFirst(rows).map(({ name }) => name)).toEqual([
    "host.processes",
    "ps32.rejects",
    "host.users",
  ]);
});

it("formats small values exactly and groups large ones", () => {
  expect([amount(0.123456), amount(3), amount(65520), amount(null)]).toEqual([
    "0.123",
    "3",
    "65\u202f520",
    "–",
  ]);
});
