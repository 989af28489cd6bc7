/** Remembers sites in this browser: the one chosen by the user and the one shown last. */
import { remember, remembered } from "@/util/storage";

const CHOSEN = "backstay.site";
const LAST = "backstay.site-shown";

/** The site that the user chose last, or null. */
export const chosenSite = (): string | null => remembered(CHOSEN) || null;
export const rememberChosen = (name: string): void => remember(CHOSEN, name);

/** Remembered until a reload: a page never changes its site without the user. */
let here: string | null = null;
export const displayedSite = (): string | null => here;

/** The site shown last on any page, used to prefetch. */
export const lastSite = (): string | null => remembered(LAST) || null;

export function rememberDisplayed(name: string): void {
  here = name;
  remember(LAST, name);
}

/** On sign-out: the next user may not have access to these sites. */
export function forgetSite(): void {
  here = null;
  remember(LAST, "");
}
