/** Setup of every unit test: a clean document and the browser APIs that jsdom lacks. */
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// An upper bound for a busy machine; elements that appear are found immediately.
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
