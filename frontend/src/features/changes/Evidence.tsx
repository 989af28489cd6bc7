/** What a node looked at, with what it found, and its managed state before and after. */
import type { ChangeNode } from "@/api/types";
import classes from "./ChangePage.module.css";
import { StateGlyph } from "@/ui/StateBadge";

export function Evidence({ member: { evidence, before, after, guard_until } }: { member: ChangeNode }) {
  if (evidence.length === 0 && before === "" && after === "") return <p className="dim">Nothing has been looked at yet.</p>;
  return (
    <>
      {guard_until !== null && <p className="dim">Its guard is armed and puts it back by itself, with or without this page, the agent or the backend.</p>}
      <ul className={classes.looked} aria-label="Evidence">
        {evidence.map(({ what, ok, found }) => (
          <li key={`${what} ${found}`} data-ok={ok}>
            <span>
              <StateGlyph state={ok ? "ok" : "critical"} />
              <span className="visually-hidden">{ok ? "good: " : "bad: "}</span>
            </span>
            <span>{what}</span>
            <span className="dim">{found}</span>
          </li>
        ))}
      </ul>
      {(before !== "" || after !== "") && (
        <div className={classes.sides}>
          <Side title="Before" text={before} />
          <Side title={before === after ? "Read again, the same" : "After"} text={after} />
        </div>
      )}
    </>
  );
}

function Side({ title, text }: { title: string; text: string }) {
  return (
    <div className={classes.side}>
      <b>{title}</b>
      <pre className="mono" role="region" aria-label={title} tabIndex={0}>{text === "" ? "nothing told" : text}</pre>
    </div>
  );
}
