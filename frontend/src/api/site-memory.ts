/** Which sites this browser was on: the one that a person chose, and the one shown last, chosen or not. */

const CHOSEN = "backstay.site";
const LAST = "backstay.site-shown";

/** A storage that is full or forbidden only costs the memory. */
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
    // The page is as good without it.
  }
}

/** The site that the person chose last, null when they never did. */
export const chosenSite = (): string | null => read(CHOSEN);
export const rememberChosen = (name: string): void => write(CHOSEN, name);

/** Kept for this page until it is reloaded: a page never changes its site on its own. */
let here: string | null = null;
export const displayedSite = (): string | null => here;

/** The site that was on screen last, in any page: a good guess for what is asked next. */
export const lastSite = (): string | null => read(LAST);

export function rememberDisplayed(name: string): void {
  here = name;
  write(LAST, name);
}

/** Signed out: who comes next may not see these sites. */
export function forgetSite(): void {
  here = null;
  try {
    globalThis.localStorage?.removeItem(LAST);
  } catch {
    // As above.
  }
}
