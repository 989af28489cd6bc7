// Generates from the OpenAPI document: src/api/schema.d.ts (types) and src/util/spec.json (its `x-backstay` extension:
// number formats, thresholds, labels). `--check` only compares, and fails when a file is stale.
import { readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";

const source = new URL("../../backend/openapi.json", import.meta.url);
const banner =
  "// Made by `npm run gen-api` from backend/openapi.json; change that document, never this file.\n\n";

const { "x-backstay": spec } = JSON.parse(await readFile(source, "utf8"));
const files = {
  "src/api/schema.d.ts": banner + astToString(await openapiTS(source, { alphabetize: true })),
  "src/util/spec.json": `${JSON.stringify(spec, null, 1)}\n`,
};

for (const [path, fresh] of Object.entries(files)) {
  const target = new URL(`../${path}`, import.meta.url);
  if (!process.argv.includes("--check")) {
    await writeFile(target, fresh);
    continue;
  }
  const stored = await readFile(target, "utf8").catch(() => "");
  if (stored !== fresh) {
    console.error(`${path} is stale: run \`npm run gen-api\` and commit it.`);
    process.exitCode = 1;
  }
}
