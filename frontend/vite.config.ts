// Builds the single page into dist/ (index.html at the root, hashed files under assets/), serves it in
// development, and runs the unit tests. Mock answers exist in development and tests only.
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { msw } from "msw/vite";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const backend = process.env.BACKSTAY_BACKEND;
const junit = process.env.BACKSTAY_JUNIT;

/** The stored theme must be applied before the first paint, and the policy forbids inline scripts: paint after the module. */
const paintAfterScript: Plugin = {
  name: "paint-after-script",
  enforce: "post",
  transformIndexHtml: (html) =>
    html.replace('<script type="module"', '<script type="module" blocking="render"'),
};

export default defineConfig(({ command }) => ({
  plugins: [react(), { ...msw({ mode: "worker-only" }), apply: "serve" }, paintAfterScript],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  server: {
    port: Number(process.env.PORT ?? 5173),
    strictPort: true,
    // The documentation is outside of this folder.
    fs: { allow: [".", "../docs"] },
    ...(backend === undefined ? {} : { proxy: { "/api": { target: backend, changeOrigin: false } } }),
  },
  define: { __MOCK__: JSON.stringify(command === "serve" && backend === undefined) },
  build: {
    target: "es2022",
    // Fonts and pictures stay files: the content security policy allows no data: fonts.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    manifest: true,
    rolldownOptions: {
      output: {
        // Named chunks, so that scripts/budget.mjs can weigh them.
        codeSplitting: {
          groups: [
            { name: "sigma", test: /node_modules\/(sigma|graphology[^/]*)\// },
            { name: "uplot", test: /node_modules\/uplot\// },
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
