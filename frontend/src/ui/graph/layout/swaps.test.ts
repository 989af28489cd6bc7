import { expect, test } from "vitest";

import { type Block, orderColumns, type Pair } from "./order";
import { swapWhileBetter } from "./swaps";
import { countCrossings } from "../testing/crossings";

/** Numbers 0..1 that look random and are the same at every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

/** Three columns of blocks, some of several nodes, joined at random, also within a column. */
function muddle(seed: number): { columns: Block[][]; pairs: Pair[] } {
  const next = numbers(seed);
  const columns = [0, 1, 2].map((column) =>
    Array.from({ length: 5 }, (_, at): Block => {
      const size = column === 0 ? 1 + Math.floor(next() * 3) : 1;
      return {
        name: `${column}.${at}`,
        members: Array.from({ length: size }, (_member, index) => `${column}.${at}.${index}`),
      };
    }),
  );
  const keys = columns.flat().flatMap((block) => block.members);
  const any = (): string => keys[Math.floor(next() * keys.length)] ?? "";
  const pairs = Array.from({ length: 30 }, (): Pair => [any(), any()]).filter(([a, b]) => a !== b);
  return { columns, pairs };
}

const drawn = (columns: readonly (readonly Block[])[]): string[][] =>
  columns.map((blocks) => blocks.flatMap((block) => block.members));

/** The same search as the plain count would do it: every swap judged by all lines. */
function plainly(columns: Block[][], pairs: Pair[]): void {
  for (let round = 0; round < 12; round += 1) {
    let better = false;
    for (const blocks of columns) {
      for (let at = 0; at + 1 < blocks.length; at += 1) {
        const before = countCrossings(drawn(columns), pairs);
        blocks.splice(at, 2, ...blocks.slice(at, at + 2).toReversed());
        if (countCrossings(drawn(columns), pairs) < before) better = true;
        else blocks.splice(at, 2, ...blocks.slice(at, at + 2).toReversed());
      }
    }
    if (!better) return;
  }
}

test.each([1, 2, 3, 5, 8, 13, 21, 34])(
  "finds the same number of crossings as brute force in random graph %d",
  (seed) => {
    const quick = muddle(seed);
    const plain = muddle(seed);
    const before = countCrossings(drawn(quick.columns), quick.pairs);
    swapWhileBetter(quick.columns, quick.pairs);
    plainly(plain.columns, plain.pairs);
    expect(drawn(quick.columns)).toEqual(drawn(plain.columns));
    expect(countCrossings(drawn(quick.columns), quick.pairs)).toBeLessThan(before);
  },
);

/** CPU time of this process in milliseconds, independent of other load. */
const cpu = (): number => Object.values(process.cpuUsage()).reduce((sum, us) => sum + us, 0) / 1000;

test("a folded fat-tree of 36 leaves and 18 spines is ordered within 300 ms of processor time", () => {
  const leaves = Array.from({ length: 36 }, (_, at) => `leaf${at}`);
  const spines = Array.from({ length: 18 }, (_, at) => `spine${at}`);
  const nodes = [
    { key: "hosts", name: "hosts", group: "compute", column: 0 },
    ...[...leaves, ...spines].map((key) => ({ key, name: key, group: "", column: 1 })),
  ];
  const pairs = [
    ...leaves.map((leaf): Pair => ["hosts", leaf]),
    ...leaves.flatMap((leaf) => spines.map((spine): Pair => [leaf, spine])),
  ];
  const once = (): number => {
    const began = cpu();
    orderColumns(nodes, pairs);
    return cpu() - began;
  };
  expect(Math.min(once(), once(), once())).toBeLessThan(300);
});
