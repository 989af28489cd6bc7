import { describe, expect, it } from "vitest";
import { hippiModel } from "@/mocks/models/hold-time";
import { FIELDS, formOf, queryOf, withForm } from "./parameters";
import {
  adviceText,
  delayCurves,
  delayText,
  holdText,
  known,
  lifetimeText,
  lossCurves,
  lossText,
  tcpCurves,
} from "./plots";

const model = hippiModel(0);
const parameters = (text: string) => new URLSearchParams(text);

describe("parameters", () => {
  it("sends only what is given", () => {
    expect(queryOf(formOf(parameters("")))).toEqual({});
    expect(queryOf(formOf(parameters("rate_pps=100&hold_ms=0&gateway=hsg-sdsc&whole_bursts=true")))).toEqual({
      rate_pps: 100,
      hold_ms: 0,
      gateway: "hsg-sdsc",
      whole_bursts: true,
    });
    expect(queryOf(formOf(parameters("rate_pps=many")))).toEqual({});
  });

  it("keeps the site in the URL and removes emptied fields", () => {
    const values = { ...formOf(parameters("rate_pps=100&duty=0.5")), rate_pps: " ", blocking_ms: "8" };
    const fresh = withForm(parameters("site=casa&rate_pps=100&duty=0.5"), values);
    expect(fresh.toString()).toBe("site=casa&duty=0.5&blocking_ms=8");
    expect(formOf(fresh).duty).toBe("0.5");
  });

  it("shows the value in force of every parameter that has one", () => {
    const unknown = FIELDS.filter(({ inForce }) => inForce(model.parameters) === null);
    expect(unknown.map(({ name }) => name)).toEqual(["tick_ns"]);
  });
});

describe("results", () => {
  it("never shows a number for an unstable or unknown queue", () => {
    const none = { wait_ms: null, delay_ms: null, loss: null, fill_s: null, reason: "", simulated: false };
    expect(delayText({ ...none, state: "unstable", fill_s: 82 })).toBe(
      "unstable, buffer full after 1 min 22 s",
    );
    expect(delayText({ ...none, state: "unstable" })).toBe("unstable");
    expect(delayText({ ...none, state: "unknown" })).toBe("unknown");
    expect(lossText(none)).toBe("unknown");
    expect(delayText(model.unlimited)).toBe("26 ms");
    expect(known(null, String)).toBe("unknown");
  });

  it("breaks the delay's curve where the queue is unstable", () => {
    const { x, lines, capacity, labels } = delayCurves(model);
    expect(lines.map(({ rates }) => rates.length)).toEqual([x.length, x.length]);
    expect(lines[0]?.rates.at(-1)).toBeNull();
    expect(lines[1]?.label).toBe("h = 10 ms");
    expect([capacity, labels[0]]).toEqual([6, "1 ms"]);
    expect(lossCurves(model).lines[0]?.rates.at(-1)).toBeCloseTo(0.9);
  });

  it("marks the throughput that is not as published", () => {
    const marked = tcpCurves(model).lines.filter(({ label }) => label.includes("not as published"));
    expect(marked.map(({ label }) => label.split(",")[0])).toEqual(["ACKs blocked", "segments blocked"]);
  });

  it("states the recommendation with ticks, loss and InfiniBand's code", () => {
    expect(model.recommendations.map(adviceText)).toEqual([
      "unlimited, loss 0 %, HOQLife 20",
      "= 92 ms (4\u202f606 ticks), loss 1 %, HOQLife 15",
      "= 47 ms (2\u202f350 ticks), loss 9.5 %, HOQLife 14",
    ]);
    const [first] = model.recommendations;
    if (first === undefined) throw new Error("no recommendation");
    expect(adviceText({ ...first, hold: "unknown", hold_ms: null, ticks: null })).toBe("unknown");
  });

  it("formats hold times and lifetimes", () => {
    expect([null, 0, 10].map(holdText)).toEqual(["not reported", "unlimited", "10 ms"]);
    expect([null, 0.004096, 268.4].map(lifetimeText)).toEqual(["no limit", "4.096 µs", "268 ms"]);
  });
});
