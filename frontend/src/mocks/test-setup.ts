/** What every unit test starts from: a clean document, and the browser parts that jsdom lacks. */
import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";

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
