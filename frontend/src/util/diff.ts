/** A unified diff as lines with their numbers, for drawing. Pure. */

export interface DiffLine {
  readonly kind: "same" | "added" | "removed" | "hunk";
  readonly text: string;
  /** Line numbers before and after; null where the line does not exist. */
  readonly before: number | null;
  readonly after: number | null;
}

export interface Diff {
  readonly lines: readonly DiffLine[];
  readonly added: number;
  readonly removed: number;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Reads a unified diff; the two lines that name the files and notes such as `\ No newline` are left out. */
export function parseDiff(text: string): Diff {
  const lines: DiffLine[] = [];
  let [before, after] = [0, 0];
  let inside = false;
  for (const line of text.replace(/\n$/, "").split("\n")) {
    const hunk = HUNK.exec(line);
    if (hunk !== null) {
      [before, after] = [Number(hunk[1]), Number(hunk[2])];
      inside = true;
      lines.push({ kind: "hunk", text: line, before: null, after: null });
    } else if (inside && line.startsWith("+"))
      lines.push({ kind: "added", text: line.slice(1), before: null, after: after++ });
    else if (inside && line.startsWith("-"))
      lines.push({ kind: "removed", text: line.slice(1), before: before++, after: null });
    else if (inside && !line.startsWith("\\"))
      lines.push({ kind: "same", text: line.slice(1), before: before++, after: after++ });
  }
  const number = (kind: DiffLine["kind"]) => lines.filter((line) => line.kind === kind).length;
  return { lines, added: number("added"), removed: number("removed") };
}
