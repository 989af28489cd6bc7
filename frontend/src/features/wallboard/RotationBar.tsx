/** The pages of a wallboard, the one that is shown, the time that is left, and the pause. */
import type { WallboardPage } from "@/api/wallboard/queries";
import type { Rotation } from "./rotation";
import classes from "./Wall.module.css";
import { wallboard } from "@/util/spec.json";

const LABELS = new Map(wallboard.pages.map(({ value, label }) => [value, label]));

interface Props {
  pages: readonly WallboardPage[];
  seconds: number;
  rotation: Rotation;
}

export function RotationBar({ pages, seconds, rotation: { index, paused, toggle } }: Props) {
  const rotates = pages.length > 1;
  return (
    <footer className={classes.foot}>
      <ol className={classes.pages}>
        {pages.map((page, at) => (
          <li key={page} aria-current={at === index ? "page" : undefined}>
            {LABELS.get(page)}
          </li>
        ))}
      </ol>
      {rotates && (
        <button type="button" className={classes.pause} aria-pressed={paused} onClick={toggle}>
          {paused ? "Paused: continue" : "Pause"} <kbd>space</kbd>
        </button>
      )}
      {rotates && (
        <div className={classes.track} aria-hidden="true">
          {!paused && (
            // A new element for each page: its animation begins again.
            <div key={index} className={classes.progress} style={{ animationDuration: `${seconds}s` }} />
          )}
        </div>
      )}
    </footer>
  );
}
