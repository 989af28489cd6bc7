/** Durations as typed: `90 s`, `15 min`, `1 h 30 min`. Unlike displayed durations they are exact. */

const UNITS = [
  [86_400, "d"],
  [3600, "h"],
  [60, "min"],
  [1, "s"],
] as const;
const SECONDS: Readonly<Record<string, number>> = { d: 86_400, h: 3600, min: 60, m: 60, s: 1, "": 1 };

/** Seconds as text; the inverse of `parseSpan`. */
export function formatSpan(seconds: number): string {
  let rest = seconds;
  const parts = UNITS.flatMap(([size, unit]) => {
    const number = size === 1 ? Number(rest.toFixed(3)) : Math.floor(rest / size);
    rest -= number * size;
    return number === 0 ? [] : [`${number} ${unit}`];
  });
  return parts.length === 0 ? "0 s" : parts.join(" ");
}

/** Seconds; a number without a unit is seconds. Null for invalid text. */
export function parseSpan(text: string): number | null {
  const clean = text.trim().toLowerCase();
  if (!/^(\d+(\.\d+)?\s*(d|h|min|m|s)?\s*)+$/.test(clean)) return null;
  const parts = [...clean.matchAll(/(\d+(?:\.\d+)?)\s*(d|h|min|m|s)?/g)];
  // Only a single number may omit its unit: `1 h 30` is ambiguous.
  if (parts.length > 1 && parts.some(([, , unit]) => unit === undefined)) return null;
  return parts.reduce((sum, [, number, unit]) => sum + Number(number) * (SECONDS[unit ?? ""] ?? 1), 0);
}

/** Error of a duration between two bounds in seconds, or null. */
export function spanError(text: string, min: number, max: number): string | null {
  const seconds = parseSpan(text);
  if (seconds === null) return "Enter a duration, e.g. 15 min.";
  return seconds < min || seconds > max ? `Enter ${formatSpan(min)} to ${formatSpan(max)}.` : null;
}
