// Fails the build if the first page, or the map and chart libraries, exceed their size budget for phones.
import { readFile } from "node:fs/promises";
import { brotliCompressSync } from "node:zlib";

/** Scripts and styles: with the font, which is 22 kB, this is what a browser loads before the API's responses. */
const FIRST_PAGE_KB = 212;
const FIRST_PAGE_FILES = 6;
const DRAWING_KB = 65;
/** What a list loads besides the first page: tables, and what pages share, not that of charts and forms. */
const LIST_KB = 65;

const dist = new URL("../dist/", import.meta.url);
const manifest = JSON.parse(await readFile(new URL(".vite/manifest.json", dist), "utf8"));

/** A chunk with all of its static imports. */
function closure(key, seen = new Set()) {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const next of manifest[key].imports ?? []) closure(next, seen);
  return seen;
}

/** The scripts and styles of these chunks. */
const filesOf = (keys) =>
  new Set([...keys].flatMap((key) => [manifest[key].file, ...(manifest[key].css ?? [])]));

async function packedKb(files) {
  const sizes = await Promise.all(
    [...files].map(async (file) => brotliCompressSync(await readFile(new URL(file, dist))).length),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}

// The entry is part of it; see vite.config.ts.
const entry = Object.keys(manifest).find((key) => manifest[key].name === "first");
const first = closure(entry);
const apart = Object.keys(manifest).find((key) => key.endsWith("OverviewPage.tsx"));
const drawing = Object.keys(manifest).filter(
  (key) => /^(_?)(sigma|uplot|graph)/.test(manifest[key].name ?? "") && manifest[key].file.endsWith(".js"),
);
const list = [...closure("src/features/devices/DevicesPage.tsx")].filter((key) => !first.has(key));
const lazyOnly = drawing.every((key) => !first.has(key));
const figures = [
  ["first page", await packedKb(filesOf(first)), FIRST_PAGE_KB, "kB brotli"],
  ["files of the first page", filesOf(first).size, FIRST_PAGE_FILES, ""],
  ["list of devices", await packedKb(filesOf(list)), LIST_KB, "kB brotli"],
  ["map and chart libraries", await packedKb(filesOf(drawing)), DRAWING_KB, "kB brotli"],
];
for (const [name, size, most, unit] of figures)
  console.log(`${name}: ${Number(size.toFixed(1))} of at most ${most} ${unit}`.trimEnd());
if (apart !== undefined) console.error("The overview has a file of its own: the first page loads more.");
if (!lazyOnly) console.error("A map or chart library is loaded with the first page: import it lazily.");
if (drawing.length === 0)
  console.error("No chunk of the map and chart libraries was found: the check would measure nothing.");
process.exit(
  lazyOnly && apart === undefined && drawing.length > 0 && figures.every(([, size, most]) => size <= most)
    ? 0
    : 1,
);
