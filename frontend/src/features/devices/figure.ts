/** A figure in words. Pure. */
import type { Figure, FigureHistory } from "@/api/types";
import { amount as plain, NONE } from "@/util/units";

/** `3 errors/s`, `41 °C`, `running`; of a growth that is not known, why. */
export function figureWords({
  kind,
  value,
  reported_state,
  per_s,
  unit,
  outcome,
}: Pick<Figure, "kind" | "value" | "reported_state" | "per_s" | "unit" | "outcome">): string {
  if (reported_state !== null) return reported_state === "" ? NONE : reported_state;
  if (kind === "growth") {
    if (per_s !== null) return withUnit(plain(per_s), `${unit}/s`);
    return outcome === "ok" ? withUnit(plain(value), unit) : OUTCOME_WORDS[outcome];
  }
  return withUnit(plain(value), unit);
}

const OUTCOME_WORDS: Readonly<Record<Figure["outcome"], string>> = {
  ok: NONE,
  wrapped: NONE,
  gap: NONE,
  reset: "counter restarted",
  absurd: "more than can be",
  saturated: "counter is full",
  missing: "did not answer",
};

function withUnit(text: string, unit: string): string {
  return unit === "" || text === NONE ? text : `${text} ${unit}`;
}

/** What is drawn of a past, for who cannot see it. */
export function pastWords({
  title,
  subject,
  unit,
  per_second,
  mean,
  max,
}: Pick<FigureHistory, "title" | "subject" | "unit" | "per_second" | "mean" | "max">): string {
  const known = mean.filter((value) => value !== null);
  const place = subject === "" ? "" : ` of ${subject}`;
  if (known.length === 0) return `${title}${place}: nothing is known of this range.`;
  const tail = per_second ? `${unit}/s` : unit;
  const average = known.reduce((sum, value) => sum + value, 0) / known.length;
  const most = Math.max(...max.filter((value) => value !== null));
  return `${title}${place}: mean ${withUnit(plain(average), tail)}, at most ${withUnit(plain(most), tail)}.`;
}
