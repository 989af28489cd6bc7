import { describe, expect, it } from "vitest";
import { formatError, formatDrift, headline, historyPoints, formatOffset, sourceLabel } from "./labels";
import { clocks } from "@/mocks/clocks";

import { offsetCurve } from "./ClockOffsets";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const all = clocks(NOW);
const right = all.filter(({ incident }) => incident === null);

describe("clock labels", () => {
  it("formats offsets with sign and unit", () => {
    expect(formatOffset(-31 * 86_400)).toBe("−31 d");
    expect(formatOffset(0.0042)).toBe("+4 ms");
    expect(formatOffset(-0.00025)).toBe("−250 µs");
    expect(formatOffset(0)).toBe("0");
    expect(formatError(0.51)).toBe("± 510 ms");
  });

  it("formats a drift with its error, or only the error when it is larger", () => {
    expect(formatDrift({ drift_ppm: 12.4, drift_error_ppm: 3.1 })).toBe("+12 ± 3 ppm");
    expect(formatDrift({ drift_ppm: -12.345, drift_error_ppm: 0.25 })).toBe("−12.3 ± 0.3 ppm");
    expect(formatDrift({ drift_ppm: 200, drift_error_ppm: 1600 })).toBe("within ± 1600 ppm");
    expect(formatDrift({ drift_ppm: null, drift_error_ppm: null })).toBe("–");
  });

  it("draws the offsets of a source over time, in seconds", () => {
    const clock = all.find(({ recent }) => recent.length > 1);
    if (clock === undefined) throw new Error("no clock with a history");
    const curve = offsetCurve(clock);
    expect(curve.x).toEqual(clock.recent.map(({ at }) => Date.parse(at) / 1000));
    expect(curve.lines[0]?.rates).toEqual(clock.recent.map(({ offset_s }) => offset_s));
    expect(curve.measure?.format(-0.004)).toBe("−4 ms");
  });

  it("the headline names an incident, else the largest offset reported", () => {
    expect(headline(all)).toBe("grf1: clock 31 d behind since reboot.");
    expect(headline(right)).toBe("3 clocks, largest offset +412 ms (ps32).");
    expect(headline([])).toBe("No clock reported yet.");
  });

  it("draws the history around offset 0", () => {
    const at = (s: number) => new Date(NOW + s * 1000).toISOString();
    expect(
      historyPoints([
        { at: at(0), offset_s: 0, error_s: 0 },
        { at: at(60), offset_s: -10, error_s: 0 },
      ]),
    ).toBe("0.0,12.0 96.0,22.0");
    expect(historyPoints([])).toBe("");
  });

  it("labels known sources, and shows others by name", () => {
    expect(sourceLabel({ source: "chrony" })).toBe("chrony, against NTP");
    expect(sourceLabel({ source: "ptp" })).toBe("ptp");
  });
});
