// The pages of the mock site, for tests in Node.
import { fileURLToPath } from "node:url";
import type { RequestHandler } from "msw";
import { runnerImport } from "vite";
import type { NamedPath } from "../support/routes.ts";
import { pagesOf } from "./pages.ts";

const SOURCES = fileURLToPath(new URL("../../src", import.meta.url));

/** Pairs of name and URL. */
export async function pages(): Promise<NamedPath[]> {
  // Node cannot import the sources by itself: their paths, and names out of JSON, are the bundler's.
  const { module } = await runnerImport<{ handlers: RequestHandler[] }>(`${SOURCES}/mocks/handlers.ts`, {
    configFile: false,
    resolve: { alias: { "@": SOURCES } },
  });
  return pagesOf(module.handlers);
}
