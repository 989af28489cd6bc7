// Writes a .br and a .gz next to every text file of dist/assets/: WhiteNoise sends the smallest that a browser accepts.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const TEXT = /\.(js|css|svg)$/;
/** Smaller files fit into one packet anyway. */
const LEAST_OCTETS = 1000;

const assets = new URL("../dist/assets/", import.meta.url);
const [toBrotli, toGzip] = [promisify(brotliCompress), promisify(gzip)];

async function compress(name) {
  const file = new URL(name, assets);
  const content = await readFile(file);
  if (content.length < LEAST_OCTETS) return;
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  await writeFile(`${file.pathname}.br`, await toBrotli(content, { params }));
  await writeFile(`${file.pathname}.gz`, await toGzip(content, { level: 9 }));
}

const names = await readdir(assets);
await Promise.all(names.filter((name) => TEXT.test(name)).map(compress));
