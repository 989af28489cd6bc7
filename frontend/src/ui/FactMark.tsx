/** A fact of the network (carrier, end-to-end state, use of a gateway): glyph, label and colour from the server. */
import classes from "@/ui/StateBadge.module.css";
import type { StateName } from "@/ui/StateBadge";
import { states } from "@/util/spec.json";

export type FactName = keyof typeof states;

export interface FactSpec {
  /** Colour. */
  readonly tone: StateName;
  readonly glyph: string;
  readonly label: string;
  readonly meaning: string;
}

const SPECS = states as Readonly<Record<FactName, Readonly<Record<string, FactSpec>>>>;

/** How a state is shown; one of a newer server by its name. */
export function factSpec(fact: FactName, state: string): FactSpec {
  const label = state.replaceAll("_", " ");
  return SPECS[fact][state] ?? { tone: "unknown", glyph: "?", label, meaning: label };
}

interface Props {
  fact: FactName;
  state: string;
  /** Tooltip; the meaning of the state by default. */
  title?: string | undefined;
  /** After the label, e.g. a round-trip time. */
  detail?: string | undefined;
  /** Only the glyph is visible. */
  quiet?: boolean;
}

export function FactMark({ fact, state, title, detail, quiet = false }: Props) {
  const { tone, glyph, label, meaning } = factSpec(fact, state);
  return (
    <span
      className={`${classes.badge} ${classes[tone]}`}
      data-fact={fact}
      data-value={state}
      title={title ?? meaning}
    >
      <span className={classes.glyph} aria-hidden="true">
        {glyph}
      </span>
      <span className={quiet ? "visually-hidden" : classes.word}>
        {label}
        {detail !== undefined && <span className="num dim"> {detail}</span>}
      </span>
    </span>
  );
}
