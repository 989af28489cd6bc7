/** Figures in words: bit/s in SI steps, shares, durations and ages. Pure; a missing figure is a dash, never a zero. */

export const NONE = "–";

const RATE_STEPS: readonly [number, string][] = [
  [1e12, "Tb/s"],
  [1e9, "Gb/s"],
  [1e6, "Mb/s"],
  [1e3, "kb/s"],
  [1, "b/s"],
];

/** Two decimals under ten, else one (an OC-3's usable 134.5 must not read 135); whole numbers without any. */
function digits(value: number): string {
  return value.toFixed(value < 10 ? 2 : 1).replace(/\.0+$/, "");
}

/** A rate in bit/s with its SI unit (k = 10^3): `12.4 Mb/s`. */
export function rate(bps: number | null | undefined): string {
  if (bps == null || !Number.isFinite(bps)) return NONE;
  const size = Math.abs(bps);
  const [step, unit] = RATE_STEPS.find(([from]) => size >= from) ?? [1, "b/s"];
  const text = digits(size / step);
  // 999 950 b/s would read 1000 kb/s: say it in the next unit.
  if (text === "1000") return rate(Math.sign(bps) * step * 1000);
  return `${bps < 0 ? "-" : ""}${text} ${unit}`;
}

/** A share 0..1 as a whole percentage, one decimal under 10 %: `96 %`, `0.4 %`, `<0.1 %`; only nothing at all is `0 %`. */
export function percent(share: number | null | undefined): string {
  if (share == null || !Number.isFinite(share)) return NONE;
  const value = share * 100;
  if (value > 0 && value < 0.05) return "<0.1 %";
  return `${value !== 0 && Math.abs(value) < 9.95 ? value.toFixed(1).replace(/\.0$/, "") : Math.round(value)} %`;
}

/** Milliseconds: `0.03 ms`, `2.1 ms`, `131 ms`, `4.2 s`. */
export function milliseconds(ms: number | null | undefined): string {
  if (ms == null || !Number.isFinite(ms)) return NONE;
  if (ms >= 10_000) return duration(ms / 1000);
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  const decimals = ms < 1 ? 2 : ms < 10 ? 1 : 0;
  return `${Number(ms.toFixed(decimals))} ms`;
}

/** A duration in seconds in its two greatest units: `45 s`, `14 min 9 s`, `3 d 4 h`. */
export function duration(seconds: number | null | undefined): string {
  if (seconds == null || !Number.isFinite(seconds)) return NONE;
  const whole = Math.max(0, Math.round(seconds));
  const parts: readonly (readonly [figure: number, unit: string])[] = [
    [Math.floor(whole / 86_400), "d"],
    [Math.floor(whole / 3600) % 24, "h"],
    [Math.floor(whole / 60) % 60, "min"],
    [whole % 60, "s"],
  ];
  const first = parts.findIndex(([figure]) => figure > 0);
  if (first === -1) return "0 s";
  return parts
    .slice(first, first + 2)
    .filter(([figure]) => figure > 0)
    .map(([figure, unit]) => `${figure} ${unit}`)
    .join(" ");
}

/** A signed clock offset in seconds: `+0.4 ms`, `-2.1 s`. */
export function offset(seconds: number | null | undefined): string {
  if (seconds == null || !Number.isFinite(seconds)) return NONE;
  const sign = seconds < 0 ? "-" : "+";
  return `${sign}${milliseconds(Math.abs(seconds) * 1000)}`;
}

/** A plain figure: thousands grouped, at most three significant digits behind the point: `65 520`, `0.25`, `3.2`. */
export function amount(value: number | null | undefined): string {
  if (value == null || !Number.isFinite(value)) return NONE;
  if (Number.isInteger(value) || Math.abs(value) >= 1000) return grouped(value);
  return String(Number(value.toPrecision(3)));
}

/** Octets of an MTU with thin grouping: `65 520`. */
export function grouped(value: number | null | undefined): string {
  if (value == null || !Number.isFinite(value)) return NONE;
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** One word for a count: `1 node`, `8 nodes`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
