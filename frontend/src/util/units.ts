/** Formats numbers by the rules of the server (`spec.json`, generated). Pure; a missing value is a dash, never a zero. */
import { formatting, thresholds } from "@/util/spec.json";

export const NONE = "–";

type Value = number | null | undefined;

/** Utilisation from which a link is nearly full, 0..1. */
export const NEARLY_FULL = thresholds.nearly_full;

const isNumber = (value: Value): value is number => value != null && Number.isFinite(value);

/** Fixed decimals without trailing zeros. */
function decimals(value: number, number: number): string {
  return String(Number(value.toFixed(number)));
}

/** Two decimals below ten, else one: the usable rate of an OC-3 is 134.5 Mb/s. */
function digits(value: number): string {
  const { two_decimals_below, decimals_from_there } = formatting.digits;
  return decimals(value, Math.abs(value) < two_decimals_below ? 2 : decimals_from_there);
}

type Scale = Pick<typeof formatting.rate, "base_unit" | "rollover"> & { units: (string | number)[][] };

function scaled(value: number, { units, base_unit, rollover }: Scale): string {
  const size = Math.round(Math.abs(value));
  const [step, unit] = units.find(([from]) => size >= Number(from) * rollover) ?? [1, base_unit];
  return `${value < 0 && size > 0 ? "-" : ""}${digits(size / Number(step))} ${unit}`;
}

/** A rate in bit/s with its SI unit (k = 10^3): `12.4 Mb/s`. */
export function rate(bps: Value): string {
  return isNumber(bps) ? scaled(bps, formatting.rate) : NONE;
}

/** A size with its IEC unit: `64 KiB`; exact below 10 KiB: `9000 B`. */
export function byteSize(bytes: Value): string {
  if (!isNumber(bytes)) return NONE;
  const isExact = bytes < formatting.bytes.exact_below && Math.round(bytes) % 1024 !== 0;
  return isExact ? `${Math.round(bytes)} ${formatting.bytes.base_unit}` : scaled(bytes, formatting.bytes);
}

/** A fraction 0..1 as a percentage: `96 %`, `0.4 %`, `<0.1 %`; only zero is `0 %`. */
export function percent(share: Value): string {
  if (!isNumber(share)) return NONE;
  const { one_decimal_below_percent, min_percent } = formatting.share;
  const value = share * 100;
  if (value > 0 && value < min_percent / 2) return `<${min_percent} %`;
  return `${decimals(value, Math.abs(value) < one_decimal_below_percent ? 1 : 0)} %`;
}

/** Milliseconds: `0.03 ms`, `2.1 ms`, `131 ms`, `4.2 s`. */
export function milliseconds(ms: Value): string {
  if (!isNumber(ms)) return NONE;
  const { two_decimals_below, one_decimal_below, seconds_from, duration_from } = formatting.milliseconds;
  if (ms >= duration_from) return duration(ms / 1000);
  if (ms >= seconds_from - 0.5) return `${decimals(ms / 1000, 1)} s`;
  return `${decimals(ms, ms < two_decimals_below ? 2 : ms < one_decimal_below ? 1 : 0)} ms`;
}

/** Seconds in at most two units: `250 ms`, `45 s`, `14 min 9 s`, `3 d 4 h`. */
export function duration(seconds: Value): string {
  if (!isNumber(seconds)) return NONE;
  if (seconds > 0 && seconds < 1) return milliseconds(seconds * 1000);
  const { units, max_units } = formatting.duration;
  let rest = Math.max(0, Math.round(seconds));
  const parts = units.map(([size, unit]) => {
    const number = Math.floor(rest / Number(size));
    rest -= number * Number(size);
    return { number, unit };
  });
  const first = parts.findIndex(({ number }) => number > 0);
  if (first === -1) return `0 ${units.at(-1)?.[1]}`;
  return parts
    .slice(first, first + max_units)
    .filter(({ number }) => number > 0)
    .map(({ number, unit }) => `${number} ${unit}`)
    .join(" ");
}

/** A signed clock offset in seconds: `+0.4 ms`, `-2.1 s`. */
export function offset(seconds: Value): string {
  return isNumber(seconds) ? `${seconds < 0 ? "-" : "+"}${milliseconds(Math.abs(seconds) * 1000)}` : NONE;
}

/** A plain number, thousands grouped, at most three significant digits below 1000: `65 520`, `0.25`, `3.2`. */
export function amount(value: Value): string {
  if (!isNumber(value)) return NONE;
  if (Number.isInteger(value) || Math.abs(value) >= 1000) return grouped(value);
  return String(Number(value.toPrecision(3)));
}

/** An integer with grouped thousands: `65 520`. */
export function grouped(value: Value): string {
  if (!isNumber(value)) return NONE;
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, formatting.grouped.separator);
}

/** `1 node`, `8 nodes`, `10 080 links`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${grouped(number)} ${number === 1 ? one : many}`;
}

/** `3 of 8 nodes`, `9 600 of 10 080 links`. */
export function partOf(part: number, total: number, one: string, many?: string): string {
  return `${grouped(part)} of ${count(total, one, many)}`;
}

/** The greater utilisation of two directions, 0..1; null when neither is known. */
export function greater(
  forward: { readonly utilisation: number } | null | undefined,
  back: { readonly utilisation: number } | null | undefined,
): number | null {
  if (forward == null && back == null) return null;
  return Math.max(forward?.utilisation ?? 0, back?.utilisation ?? 0);
}
