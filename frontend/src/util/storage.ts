/** Texts that this browser keeps. Works without storage (full or disabled), then keeps nothing. */

/** The text under a key; empty if there is none. */
export function remembered(key: string): string {
  try {
    return globalThis.localStorage?.getItem(key) ?? "";
  } catch {
    return "";
  }
}

/** Keeps a text; an empty one removes the key. */
export function remember(key: string, text: string): void {
  try {
    if (text === "") globalThis.localStorage?.removeItem(key);
    else globalThis.localStorage?.setItem(key, text);
  } catch {
    // Full or disabled: nothing is kept.
  }
}
