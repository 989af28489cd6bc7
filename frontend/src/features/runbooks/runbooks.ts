/** The runbooks of docs/runbooks by name, and the kinds of incident that each is for. */
import { incident_kinds } from "@/util/spec.json";

const FILES = import.meta.glob<string>("../../../../docs/runbooks/*.md", {
  query: "?raw",
  import: "default",
  eager: true,
});

const nameOf = (path: string): string => path.replace(/^.*\/(.*)\.md$/, "$1");

const TEXTS: ReadonlyMap<string, string> = new Map(
  Object.entries(FILES).map(([path, text]) => [nameOf(path), text]),
);

/** The Markdown text; undefined if there is no such runbook. */
export const runbookText = (name: string): string | undefined => TEXTS.get(name);

export interface Runbook {
  readonly name: string;
  /** `Link down`. */
  readonly title: string;
  /** Titles of the kinds of incident that lead to it. */
  readonly kinds: readonly string[];
}

/** `# Runbook: link down` is `Link down`. */
export function titleOf(name: string, text: string): string {
  const heading = /^# (?:Runbook: )?(.+)$/m.exec(text)?.[1] ?? name;
  return `${heading[0]?.toUpperCase()}${heading.slice(1)}`;
}

export const RUNBOOKS: readonly Runbook[] = [...TEXTS]
  .map(([name, text]) => ({
    name,
    title: titleOf(name, text),
    kinds: incident_kinds.filter(({ runbook }) => runbook === name).map(({ title }) => title),
  }))
  .sort((a, b) => a.title.localeCompare(b.title));
