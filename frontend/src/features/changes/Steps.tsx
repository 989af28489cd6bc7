/** Lifecycle of a change: the current state, or the last one reached. */
import type { ChangeDetail } from "@/api/types";
import classes from "./ChangePage.module.css";
import { isOver, STATE_LABELS, stepReached, STEPS } from "./labels";

export function Steps({ change }: { change: Pick<ChangeDetail, "state" | "members"> }) {
  const reached = stepReached(change);
  const left = isOver(change.state) && change.state !== "done";
  const shown = left ? STEPS.slice(0, reached + 1) : STEPS;
  return (
    <ol className={classes.steps} aria-label="Lifecycle">
      {shown.map((step, index) => (
        <li
          key={step}
          className={classes.step}
          data-reached={index <= reached}
          aria-current={!left && index === reached ? "step" : undefined}
        >
          {STATE_LABELS[step]}
        </li>
      ))}
      {left && (
        <li className={classes.step} aria-current="step">
          {STATE_LABELS[change.state]}
        </li>
      )}
    </ol>
  );
}
