/** A custom label, e.g. `rolled back`, with the glyph and colour of a state. */
import classes from "@/ui/StateBadge.module.css";
import { StateGlyph, type StateName } from "@/ui/StateBadge";

export function StateLabel({ state, label, title }: { state: StateName; label: string; title?: string }) {
  return (
    <span
      className={`${classes.badge} ${classes[state]} ${state === "unknown" ? "hatched" : ""}`}
      data-state={state}
      title={title}
    >
      <StateGlyph state={state} />
      <span className={classes.word}>{label}</span>
    </span>
  );
}
