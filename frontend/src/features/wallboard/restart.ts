/** Reloads a screen, at most once a minute: several servers of different versions must not make it flicker. */

const KEY = "backstay.wallboard-reloaded";
export const LEAST_MS = 60_000;

/** `now`: Unix milliseconds. Whether it reloads. */
export function reloadScreen(now: number, reload = () => globalThis.location.reload()): boolean {
  try {
    const before = Number(globalThis.sessionStorage.getItem(KEY) ?? 0);
    if (now - before < LEAST_MS) return false;
    globalThis.sessionStorage.setItem(KEY, String(now));
  } catch {
    // Without storage the caller's pause is the limit.
  }
  reload();
  return true;
}
