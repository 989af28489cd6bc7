import { describe, expect, it } from "vitest";
import type { FabricHistory } from "@/api/types";
import { sourceText, toSeries } from "./history";

const history: FabricHistory = {
  step_s: 3600,
  at: [0, 3600],
  in_mean: [100, null],
  out_mean: [200, null],
  devices: [11, 0],
  devices_total: 11,
  level: "1h",
  coverage: 0.5,
};

describe("the traffic of a fabric", () => {
  it("draws what ports sent above zero, with the rate of all ports as capacity", () => {
    const series = toSeries(history, { usable_rate: 10, ports: 3 });
    expect(series.up.mean).toEqual([200, null]);
    expect(series.down.mean).toEqual([100, null]);
    expect(series.capacity).toBe(30);
    expect(series.onlyMeans).toBe(true);
  });

  it("says how many devices the sums are of", () => {
    expect(sourceText(history)).toBe("sum of 11 devices, 0 to 11 of them observed, hourly values");
    expect(sourceText({ ...history, devices: [11, 11], level: "samples" })).toBe("sum of 11 devices");
    expect(sourceText({ ...history, devices: [1, 1], devices_total: 2, level: "samples" })).toBe(
      "sum of 2 devices, 1 of them observed",
    );
  });
});
