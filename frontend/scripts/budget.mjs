// Fails the build if the first page, or the map and chart libraries, exceed their size budget for phones.
import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";

const FIRST_PAGE_KB = 250;
const DRAWING_KB = 65;

const dist = new URL("../dist/", import.meta.url);
const manifest = JSON.parse(await readFile(new URL(".vite/manifest.json", dist), "utf8"));

/** A chunk with all of its static imports. */
function closure(key, seen = new Set()) {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const next of manifest[key].imports ?? []) closure(next, seen);
  return seen;
}

async function gzipKb(keys) {
  const sizes = await Promise.all(
    [...keys].map(async (key) => gzipSync(await readFile(new URL(manifest[key].file, dist))).length),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}

const entry = Object.keys(manifest).find((key) => manifest[key].isEntry);
const overview = Object.keys(manifest).find((key) => key.endsWith("OverviewPage.tsx"));
const first = new Set([...closure(entry), ...closure(overview)]);
const drawing = Object.keys(manifest).filter(
  (key) => /^(_?)(sigma|uplot|graph)/.test(manifest[key].name ?? "") && manifest[key].file.endsWith(".js"),
);
const lazyOnly = drawing.every((key) => !first.has(key));
const figures = [
  ["first page", await gzipKb(first), FIRST_PAGE_KB],
  ["map and chart libraries", await gzipKb(drawing), DRAWING_KB],
];
for (const [name, size, most] of figures)
  console.log(`${name}: ${size.toFixed(1)} kB gzip of at most ${most} kB`);
if (!lazyOnly) console.error("A map or chart library is loaded with the first page: import it lazily.");
if (drawing.length === 0)
  console.error("No chunk of the map and chart libraries was found: the check would measure nothing.");
process.exit(lazyOnly && drawing.length > 0 && figures.every(([, size, most]) => size <= most) ? 0 : 1);
