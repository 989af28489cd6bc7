/** A unified diff with colour, glyph and a text for screen readers on each changed line. */
import classes from "@/ui/DiffView.module.css";

const GLYPHS: Record<DiffLine["kind"], string> = { same: " ", added: "+", removed: "−", hunk: "" };
const LABELS: Record<DiffLine["kind"], string> = {
  same: "",
  added: "added: ",
  removed: "removed: ",
  hunk: "",
};

export function DiffView({ path, diff }: { path: string; diff: string }) {
  const { lines, added, removed } = parseDiff(diff);
  return (
    <div
      className={classes.box}
      role="region"
      aria-label={`Changes in ${path}`}
      tabIndex={0}
      data-path={path}
    >
      <div className={classes.name}>
        <span className="mono">{path}</span>
        <span className="num">
          <b className={classes.plus}>+{added}</b> <b className={classes.minus}>−{removed}</b>
          <span className="visually-hidden"> lines added and removed</span>
        </span>
      </div>
      <table className={`${classes.lines} mono`} aria-label={`Lines of ${path}`}>
        <tbody>
          {lines.map((line, index) => (
            // Lines have no key but their position, and the text never changes.
            // oxlint-disable-next-line react/no-array-index-key
            <Line key={index} line={line} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Line({ line: { kind, text, before, after } }: { line: DiffLine }) {
  if (kind === "hunk") {
    return (
      <tr data-kind={kind}>
        <td colSpan={4}>{text}</td>
      </tr>
    );
  }
  return (
    <tr data-kind={kind}>
      <td className={classes.number}>{before}</td>
      <td className={classes.number}>{after}</td>
      <td className={classes.glyph}>
        <span aria-hidden="true">{GLYPHS[kind]}</span>
        <span className="visually-hidden">{LABELS[kind]}</span>
      </td>
      <td>{text}</td>
    </tr>
  );
}

interface DiffLine {
  readonly kind: "same" | "added" | "removed" | "hunk";
  readonly text: string;
  /** Line numbers before and after; null where the line does not exist. */
  readonly before: number | null;
  readonly after: number | null;
}

interface Diff {
  readonly lines: readonly DiffLine[];
  readonly added: number;
  readonly removed: number;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Parses a unified diff, without file headers and notes such as `\ No newline`. */
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
