import { expect, it } from "vitest";
import { compare } from "@/util/compare";

it("sorts names in natural order", () => {
  expect(["sp10", "sp2", "atmgw"].sort((a, b) => compare(a, b))).toEqual(["atmgw", "sp2", "sp10"]);
});

it("sorts missing values last in both directions", () => {
  expect([null, 3, 1].sort((a, b) => compare(a, b))).toEqual([1, 3, null]);
  expect([null, 1, 3].sort((a, b) => compare(a, b, true))).toEqual([3, 1, null]);
});
