/** Ranks search targets by the typed text. Pure. */
import { compare } from "@/util/compare";

export interface Target {
  readonly kind: "page" | "node" | "link";
  readonly name: string;
  readonly detail: string;
  readonly url: string;
}

/** Every term must occur; names that start with the first term come first, then names that contain it, then details. */
export function find(targets: readonly Target[], text: string, most = 12): Target[] {
  const terms = text.toLowerCase().split(/\s+/).filter(Boolean);
  const first = terms[0];
  if (first === undefined) return targets.filter(({ kind }) => kind === "page").slice(0, most);
  return targets
    .filter(({ name, detail }) => terms.every((term) => `${name} ${detail}`.toLowerCase().includes(term)))
    .map((target) => ({ target, rank: rank(target, first) }))
    .sort((a, b) => a.rank - b.rank || compare(a.target.name, b.target.name))
    .slice(0, most)
    .map(({ target }) => target);
}

function rank({ name }: Target, term: string): number {
  const at = name.toLowerCase().indexOf(term);
  return at === 0 ? 0 : at > 0 ? 1 : 2;
}
