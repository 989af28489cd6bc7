import { expect, it } from "vitest";
import { sparkPath } from "@/ui/chart/Sparkline";

it("draws each segment with data separately and nothing across a gap", () => {
  expect(sparkPath([5, 10, null, 5], 10, 30, -1)).toBe(
    "M0.0 0L0.0 -0.500L10.0 -1.000L10.0 0ZM30.0 0L30.0 -0.500L30.0 0Z",
  );
});

it("draws nothing without data", () => expect(sparkPath([null, null], 10, 30, 1)).toBe(""));
