import { expect, it } from "vitest";
import type { Link } from "@/api/types";
import { linkTrends, portsOf } from "@/api/ports/trends";

const end = (port_id: number | null) => ({ port_id }) as Link["source"];
const LINKS = [
  { id: 1, source: end(10), target: end(11) },
  { id: 2, source: end(12), target: end(null) },
  { id: 3, source: end(13), target: end(null) },
];

it("asks for both ports of each link, as either may not be measured", () =>
  expect(portsOf(LINKS)).toEqual([10, 11, 12, 13]));

it("draws forward from what the source sends, else from what the target receives", () => {
  const ports = [
    { port_id: 10, in_mean: [null, 2], out_mean: [5, null] },
    { port_id: 11, in_mean: [9, 6], out_mean: [7, 8] },
    { port_id: 12, in_mean: [1, 1], out_mean: [null, 3] },
  ];
  const trends = linkTrends(LINKS, { ports });
  expect(trends.get(1)).toEqual({ up: [5, 6], down: [7, 2] });
  expect(trends.get(2)).toEqual({ up: [null, 3], down: [1, 1] });
  expect(trends.has(3)).toBe(false);
});
