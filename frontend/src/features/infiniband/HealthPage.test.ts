import { expect, it } from "vitest";
import { formatLanes } from "./HealthPage";

it.each([
  ["4X 2.5 Gbps", "4 lanes at 2.5 Gb/s"],
  ["1X 10.0 Gbps", "1 lane at 10 Gb/s"],
  ["12X 25.78125 Gbps", "12 lanes at 25.78125 Gb/s"],
  ["something newer", "something newer"],
  ["", ""],
])("formats %j as %j", (running, text) => expect(formatLanes(running)).toBe(text));
