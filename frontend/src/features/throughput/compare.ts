/** How a difference between two runs is told: a sign, a word and a signed percentage. Pure. */
import type { Difference } from "@/api/throughput";

export const OUTCOMES: Record<Difference["outcome"], { glyph: string; word: string }> = {
  faster: { glyph: "▲", word: "faster" },
  slower: { glyph: "▼", word: "slower" },
  same: { glyph: "=", word: "same" },
};

/** A change as a share of the earlier rate: `+12 %`, `−33 %`, `±0 %`. */
export function changeWords(change: number): string {
  const value = Math.abs(change) < 0.0995 ? Number((change * 100).toFixed(1)) : Math.round(change * 100);
  return value === 0 ? "±0 %" : `${value > 0 ? "+" : "−"}${Math.abs(value)} %`;
}
