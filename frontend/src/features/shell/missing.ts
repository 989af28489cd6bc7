/** Addresses of objects: every object has a number; a name in its place leads to no object. Pure. */

/** Thrown for an address that names no object. */
export class MissingObject extends Error {
  override readonly name = "MissingObject";

  constructor(
    /** `device`. */
    readonly noun: string,
    /** As in the address. */
    readonly text: string,
    /** Page that lists the objects. */
    readonly list: string,
  ) {
    super(`No ${noun} named ${text}.`);
  }
}

/** Nouns of the lists whose singular is not the word without its s. */
const NOUNS: Readonly<Record<string, string>> = {
  policies: "policy",
  switches: "switch",
  maintenance: "maintenance window",
  infiniband: "InfiniBand fabric",
  hippi: "HIPPI fabric",
};

/** Throws if an address such as `/links/grf1` has a name where the number of the object belongs. */
export function requireNumber(path: string, id: string | undefined): void {
  if (id === undefined || /^\d+$/.test(id)) return;
  const parts = path.split("/");
  const list = parts.slice(0, parts.indexOf(":id"));
  const last = list.at(-1) ?? "";
  const noun = (NOUNS[last] ?? last.replace(/s$/, "")).replaceAll("-", " ");
  throw new MissingObject(noun, id, `/${last === "ports" ? "devices" : list.join("/")}`);
}
