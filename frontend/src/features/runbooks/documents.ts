/** The documents of docs/ that the help of pages leads to; each is loaded when it is opened. */
const FILES = import.meta.glob<string>(
  "../../../../docs/{agent,capacity,deploy,exports,hold-time,maintenance,map,notification-routes,operator,rules,site-file,throughput,tour}.md",
  { query: "?raw", import: "default" },
);

/** The loader of a document's Markdown text; undefined if pages do not show it. */
export const loaderOf = (name: string): (() => Promise<string>) | undefined =>
  FILES[`../../../../docs/${name}.md`];

/** Names of the documents that `/help/NAME` shows. */
export const DOCUMENTS: readonly string[] = Object.keys(FILES).map((path) =>
  path.replace(/^.*\/(.*)\.md$/, "$1"),
);
