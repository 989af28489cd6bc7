/** Which sites this browser was on: the one that a person chose, and the one shown last, chosen or not. */

const CHOSEN = "backstay.site";
const SHOWN = "backstay.site-shown";

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

/** Of this page alone, until it is loaded anew: a page never moves to another site by itself. */
let here: string | null = null;
export const shownHere = (): string | null => here;

/** The site that was on screen last, in any page: a good guess for what is asked next. */
export const lastShown = (): string | null => read(SHOWN);

export function rememberShown(name: string): void {
  here = name;
  write(SHOWN, name);
}

/** Signed out: who comes next may not see these sites. */
export function forgetShown(): void {
  here = null;
  try {
    globalThis.localStorage?.removeItem(SHOWN);
  } catch {
    // As above.
  }
}
