// Builds the single page into dist/ (index.html at the root, hashed files under assets/), serves it in
// development, and runs the unit tests. Mock answers exist in development and tests only,
// and in the build of `--mode mock`, which the tests of e2e/mock serve.
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { msw } from "msw/vite";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { trimmedFont } from "./scripts/font.ts";

const backend = process.env.BACKSTAY_BACKEND;
const junit = process.env.BACKSTAY_JUNIT;

/** The stored theme must be applied before the first paint, and the policy forbids inline scripts: paint after the module. */
const paintAfterScript: Plugin = {
  name: "paint-after-script",
  enforce: "post",
  transformIndexHtml: (html) =>
    html.replaceAll('<script type="module"', '<script type="module" blocking="render"'),
};

/** The modules of the shell and of the overview, which everybody loads first. */
const FIRST_PAGE =
  /src\/(main|features\/(shell\/(?!Tour|Search|targets)|overview\/|map\/MiniMap))|rolldown\/runtime/;

/** Tables and forms, and the libraries that only they need. */
const LISTS =
  /src\/ui\/(table|lists)\/|node_modules\/(@tanstack|@mantine\/(core|form|hooks)|klona|fast-deep-equal|use-sync-external-store)\//;

/** Without a backend the development server and the build of `--mode mock` answer from src/mocks. */
const hasMock = (command: string, mode: string) =>
  backend === undefined && (command === "serve" || mode === "mock");

export default defineConfig(({ command, mode }) => ({
  plugins: [
    react(),
    ...(hasMock(command, mode) ? [msw({ mode: "worker-only" })] : []),
    paintAfterScript,
    trimmedFont(),
  ],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  server: {
    port: Number(process.env.PORT ?? 5173),
    strictPort: true,
    // The documentation is outside of this folder.
    fs: { allow: [".", "../docs"] },
    ...(backend === undefined ? {} : { proxy: { "/api": { target: backend, changeOrigin: false } } }),
  },
  define: { __MOCK__: JSON.stringify(hasMock(command, mode)) },
  build: {
    target: "es2022",
    // Fonts and pictures stay files: the content security policy allows no data: fonts.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    manifest: true,
    // All browsers that the pages support preload modules.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Named chunks, so that scripts/budget.mjs can weigh them. The first page needs few requests: what it
        // and the shell load is in two files, and what several pages share is not spread over dozens.
        codeSplitting: {
          groups: [
            { name: "sigma", test: /node_modules\/(sigma|graphology[^/]*)\//, priority: 30 },
            { name: "uplot", test: /node_modules\/uplot\//, priority: 30 },
            { name: "first", test: FIRST_PAGE, priority: 20, includeDependenciesRecursively: true },
            // By what a page shows: a list loads neither charts nor the map.
            { name: "charts", test: /src\/ui\/chart\//, priority: 15 },
            { name: "graph", test: /src\/ui\/graph\//, priority: 15 },
            { name: "lists", test: LISTS, priority: 16 },
            {
              name: (id) => /features\/([^/]+)/.exec(id)?.[1] ?? null,
              test: /src\/features\//,
              minShareCount: 2,
              priority: 12,
              includeDependenciesRecursively: false,
            },
            { name: "shared", minShareCount: 2, priority: 10, maxSize: 100_000 },
          ],
        },
      },
    },
  },
  test: {
    restoreMocks: true,
    testTimeout: 30_000,
    // A document is dear to make: only tests of components (.tsx) get one.
    projects: [
      {
        extends: true,
        test: { name: "pure", environment: "node", include: ["src/**/*.test.ts"], isolate: false },
      },
      {
        extends: true,
        test: {
          name: "drawn",
          environment: "jsdom",
          include: ["src/**/*.test.tsx"],
          setupFiles: ["src/mocks/test-setup.ts"],
        },
      },
    ],
    reporters: junit === undefined ? ["default"] : ["default", "junit"],
    ...(junit === undefined ? {} : { outputFile: { junit } }),
  },
}));
