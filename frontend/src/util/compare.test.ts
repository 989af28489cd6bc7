import { expect, it } from "vitest";
import { compare } from "@/util/compare";

it("sorts names as people count", () => {
  expect(["sp10", "sp2", "atmgw"].sort((a, b) => compare(a, b))).toEqual(["atmgw", "sp2", "sp10"]);
});

it("keeps what has no figure last, whichever way it sorts", () => {
  expect([null, 3, 1].sort((a, b) => compare(a, b))).toEqual([1, 3, null]);
  expect([null, 1, 3].sort((a, b) => compare(a, b, true))).toEqual([3, 1, null]);
});
