/** The five states: colour, glyph and label. */
import classes from "@/ui/StateBadge.module.css";

export type StateName = "ok" | "warning" | "critical" | "unknown" | "disabled";

const LABELS: Record<StateName, string> = {
  ok: "ok",
  warning: "warning",
  critical: "critical",
  unknown: "unknown",
  disabled: "disabled",
};

/** Distinct shapes, so that colour is not the only difference. */
const GLYPHS: Record<StateName, React.ReactNode> = {
  ok: <path d="M2.5 6.5 5 9l4.5-6" />,
  warning: <path d="M6 1.5 11 10.500H1zM6 5v2.500M6 9v.1" />,
  critical: <path d="M2.5 2.500l7 7M9.5 2.500l-7 7" />,
  unknown: <path d="M3.8 4.200a2.2 2.2 0 1 1 3.4 1.900C6.3 6.7 6 7 6 7.800M6 10.300v.1" />,
  disabled: <path d="M2 6h8" />,
};

export function StateGlyph({ state, size = 12 }: { state: StateName; size?: number }) {
  return (
    <svg
      className={classes[state]}
      width={size}
      height={size}
      viewBox="0 0 12 12"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {GLYPHS[state]}
    </svg>
  );
}

/** `text` is the tooltip, e.g. `unreachable for 40 s`; `quiet` hides the label from all but assistive technology. */
export function StateBadge({
  state,
  text,
  quiet = false,
}: {
  state: StateName;
  text?: string;
  quiet?: boolean;
}) {
  return (
    <span
      className={`${classes.badge} ${classes[state]} ${state === "unknown" ? "hatched" : ""}`}
      data-state={state}
      title={text ?? LABELS[state]}
    >
      <StateGlyph state={state} />
      <span className={quiet ? "visually-hidden" : classes.word}>{LABELS[state]}</span>
    </span>
  );
}
