/** Parses the subset of Markdown that runbooks use into blocks. Pure. */

type Content =
  | { readonly kind: "title" | "heading" | "text" | "code"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[]; readonly isOrdered: boolean };

export type Block = Content & { readonly id: number };

export interface Span {
  readonly id: number;
  readonly part: string;
  readonly isCode: boolean;
}

const ITEM = /^(?:-|\d+\.) /;

/** Blocks in order; tables stay text. */
export const blocks = (markdown: string): Block[] =>
  parts(markdown).map((part, id) => ({ ...contentOf(part), id }));

function contentOf(part: readonly string[]): Content {
  const [first = ""] = part;
  if (first.startsWith("```")) return { kind: "code", text: part.slice(1, -1).join("\n") };
  if (first.startsWith("# ")) return { kind: "title", text: first.slice(2) };
  if (/^#{2,} /.test(first)) return { kind: "heading", text: first.replace(/^#+ /, "") };
  if (first.startsWith("|")) return { kind: "code", text: part.join("\n") };
  return ITEM.test(first) ? list(part) : { kind: "text", text: part.join(" ") };
}

/** Lines between blank lines; a fenced block is one part. */
function parts(markdown: string): string[][] {
  const found: string[][] = [];
  let part: string[] = [];
  let isFenced = false;
  for (const line of markdown.split("\n")) {
    if (line.startsWith("```")) isFenced = !isFenced;
    if (line !== "" || isFenced) part.push(line);
    else if (part.length > 0) {
      found.push(part);
      part = [];
    }
  }
  return part.length > 0 ? [...found, part] : found;
}

function list(part: readonly string[]): Content {
  const items: string[] = [];
  for (const line of part)
    if (ITEM.test(line)) items.push(line.replace(ITEM, ""));
    else items.push(`${items.pop() ?? ""} ${line.trim()}`);
  return { kind: "list", items, isOrdered: /^\d/.test(part[0] ?? "") };
}

/** Alternating text and `code`; links become their text, and pictures and emphasis are left out. */
export const spans = (text: string): Span[] =>
  text
    .replaceAll(/!\[[^\]]*\]\([^)]+\)|\*\*/g, "")
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .split("`")
    .map((part, id) => ({ id, part, isCode: id % 2 === 1 }));
