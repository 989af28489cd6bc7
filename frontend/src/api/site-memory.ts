/** Remembers sites in this browser: the one chosen by the user and the one shown last. */

const CHOSEN = "backstay.site";
const LAST = "backstay.site-shown";

/** Works without storage (full or disabled), then remembers nothing. */
function read(key: string): string | null {
  try {
    return globalThis.localStorage?.getItem(key) ?? null;
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    globalThis.localStorage?.setItem(key, value);
  } catch {
    // Full or disabled: nothing is remembered.
  }
}

/** The site that the user chose last, or null. */
export const chosenSite = (): string | null => read(CHOSEN);
export const rememberChosen = (name: string): void => write(CHOSEN, name);

/** Remembered until a reload: a page never changes its site without the user. */
let here: string | null = null;
export const displayedSite = (): string | null => here;

/** The site shown last on any page, used to prefetch. */
export const lastSite = (): string | null => read(LAST);

export function rememberDisplayed(name: string): void {
  here = name;
  write(LAST, name);
}

/** On sign-out: the next user may not have access to these sites. */
export function forgetSite(): void {
  here = null;
  try {
    globalThis.localStorage?.removeItem(LAST);
  } catch {
    // Storage is disabled: nothing was remembered.
  }
}
