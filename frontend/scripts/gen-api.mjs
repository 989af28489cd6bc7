// Writes src/api/schema.d.ts from the exported OpenAPI document. `--check` only compares, and fails when it is stale.
import { readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";

const source = new URL("../../backend/openapi.json", import.meta.url);
const target = new URL("../src/api/schema.d.ts", import.meta.url);
const banner =
  "// Made by `npm run gen-api` from backend/openapi.json; change that document, never this file.\n\n";

const fresh = banner + astToString(await openapiTS(source, { alphabetize: true }));
if (process.argv.includes("--check")) {
  const stored = await readFile(target, "utf8").catch(() => "");
  if (stored !== fresh) {
    console.error("src/api/schema.d.ts is stale: run `npm run gen-api` and commit it.");
    process.exit(1);
  }
} else {
  await writeFile(target, fresh);
}
