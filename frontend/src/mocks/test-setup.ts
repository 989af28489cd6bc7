/** What every unit test starts from: a clean document, and the browser parts that jsdom lacks. */
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// Only a bound for a busy machine: what appears is found at once.
configure({ asyncUtilTimeout: 10_000 });

class NothingResizes {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

const silent = { addEventListener: () => undefined, removeEventListener: () => undefined };
globalThis.ResizeObserver ??= NothingResizes;
globalThis.matchMedia ??= ((media: string) => ({
  ...silent,
  media,
  matches: false,
})) as unknown as typeof globalThis.matchMedia;
if (!("fonts" in document)) Object.defineProperty(document, "fonts", { value: silent });

afterEach(cleanup);
