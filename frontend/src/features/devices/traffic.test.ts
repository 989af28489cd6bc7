import { expect, it } from "vitest";
import type { PortTrends } from "@/api/ports/trends";
import { busiestCurves, trafficSeries } from "./traffic";

const port = (port_id: number, in_mean: (number | null)[], out_mean = in_mean) => ({
  port_id,
  in_mean,
  out_mean,
});
const trends = (...ports: PortTrends["ports"]): PortTrends => ({
  step_s: 60,
  at: [0, 60, 120],
  level: "samples",
  ports,
});

it("sums the ports that reported in a bin, and is a gap where none did", () => {
  const { up, down } = trafficSeries(trends(port(1, [1, null, 3]), port(2, [10, null, null], [1, 1, 1])), []);
  expect(up.mean).toEqual([11, null, 3]);
  expect(down.mean).toEqual([2, 1, 4]);
  expect(trafficSeries(trends(), []).up.mean).toEqual([null, null, null]);
});

it("draws the five busiest ports of one direction, without idle and unknown ones", () => {
  const busy = Array.from({ length: 7 }, (_, index) => port(index, [index + 1, null, 0], [0, 0, 0]));
  const names = new Map([[6, "ga030"]]);
  const curves = busiestCurves(trends(...busy, port(8, [null, null, null])), names, "in", []);
  expect(curves.lines.map(({ label }) => label)).toEqual(["ga030", "port 5", "port 4", "port 3", "port 2"]);
  expect(curves.lines[0]?.rates).toEqual([7, null, 0]);
  expect(busiestCurves(trends(...busy), names, "out", []).lines).toEqual([]);
});
