/** Ranks what the palette may go to by what was typed. Pure. */
import { compare } from "@/util/compare";

export interface Target {
  readonly kind: "page" | "node" | "link";
  readonly name: string;
  readonly detail: string;
  readonly url: string;
}

/** Each word must occur; a name that starts with the text comes first, then a name with it, then a detail with it. */
export function find(targets: readonly Target[], text: string, most = 12): Target[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const first = words[0];
  if (first === undefined) return targets.filter(({ kind }) => kind === "page").slice(0, most);
  return targets
    .filter(({ name, detail }) => words.every((word) => `${name} ${detail}`.toLowerCase().includes(word)))
    .map((target) => ({ target, rank: rank(target, first) }))
    .sort((a, b) => a.rank - b.rank || compare(a.target.name, b.target.name))
    .slice(0, most)
    .map(({ target }) => target);
}

function rank({ name }: Target, word: string): number {
  const at = name.toLowerCase().indexOf(word);
  return at === 0 ? 0 : at > 0 ? 1 : 2;
}
