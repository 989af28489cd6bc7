/** A choice of who works at this browser, kept in it. */
import { remember, remembered } from "@/util/storage";

export interface Choice<T extends string> {
  readonly get: () => T;
  readonly set: (next: T) => void;
  /** Calls back after each choice; returns how to stop that. */
  readonly subscribe: (listener: () => void) => () => void;
}

/** `byDefault` decides until something has been chosen. */
export function choiceOf<T extends string>(key: string, values: readonly T[], byDefault: () => T): Choice<T> {
  const listeners = new Set<() => void>();
  let chosen: T | null = null;
  return {
    get: () => (chosen ??= values.find((value) => value === remembered(key)) ?? byDefault()),
    set: (next) => {
      chosen = next;
      remember(key, next);
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
