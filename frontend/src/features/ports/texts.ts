/** Sentences of the port page. Pure. */
import type { Figure, Port } from "@/api/types";
import { amount, NONE, percent, rate } from "@/util/units";

/** `23 % in, 7 % out of 53.8 Mb/s usable; up for 3 h.` */
export function headline(port: Port): string {
  const { in_bps, out_bps, in_utilisation, out_utilisation, usable_rate, state_text } = port;
  if (in_bps === null && out_bps === null) return `No load reported; ${state_text}.`;
  const direction = (verb: string, bps: number | null, share: number | null) =>
    `${verb} ${rate(bps)}${share === null ? "" : ` (${percent(share)})`}`;
  const usable = usable_rate > 0 ? ` of ${rate(usable_rate)} usable` : "";
  const both = `${direction("Receives", in_bps, in_utilisation)}, ${direction("sends", out_bps, out_utilisation)}`;
  return `${both}${usable}; ${state_text}.`;
}

/** `3 errors/s`, `41 °C`, `running`. */
export function metricText({
  value,
  per_s,
  unit,
  reported_state,
}: Pick<Figure, "value" | "per_s" | "unit" | "reported_state">): string {
  if (reported_state !== null) return reported_state || NONE;
  const text = amount(per_s ?? value);
  if (text === NONE) return text;
  return `${text} ${per_s === null ? unit : `${unit}/s`}`.trim();
}
