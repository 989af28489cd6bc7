import { expect, it } from "vitest";
import { arrange, formatLayout, move, parseLayout, toggle, toggleWide } from "@/ui/table/layout";

const COLUMNS = [
  { id: "name" },
  { id: "state" },
  { id: "fabric", wide: true },
  { id: "speed", isExtra: true },
] as const;
const ids = (text: string) => parseLayout(text, COLUMNS).map(({ id }) => id);

it("shows the columns of the default without a text, and without extra ones", () => {
  expect(ids("")).toEqual(["name", "state", "fabric"]);
  expect(ids("default")).toEqual(["name", "state", "fabric"]);
});

it("keeps the order of the text, and the row's name first", () => {
  expect(ids("speed.state.name")).toEqual(["name", "speed", "state"]);
  expect(ids("name")).toEqual(["name"]);
});

it("skips unknown and repeated columns, and falls back to the default if none is known", () => {
  expect(ids("name.gone.state.state")).toEqual(["name", "state"]);
  expect(ids("gone.*.")).toEqual(["name", "state", "fabric"]);
});

it("reads what it writes, and writes nothing for the default", () => {
  const chosen = toggleWide(toggle(parseLayout("", COLUMNS), "speed"), "state");
  const text = formatLayout(chosen, COLUMNS);
  expect(text).toBe("name.state*.fabric*.speed");
  expect(parseLayout(text, COLUMNS)).toEqual(chosen);
  expect(formatLayout(parseLayout("", COLUMNS), COLUMNS)).toBe("");
});

it("moves a column by one place, never before the row's name or beyond the end", () => {
  const layout = parseLayout("name.state.fabric.speed", COLUMNS);
  const after = (id: string, step: -1 | 1) => move(layout, id, step).map((column) => column.id);
  expect(after("speed", -1)).toEqual(["name", "state", "speed", "fabric"]);
  expect(after("state", -1)).toEqual(["name", "state", "fabric", "speed"]);
  expect(after("speed", 1)).toEqual(["name", "state", "fabric", "speed"]);
  expect(after("name", 1)).toEqual(["name", "state", "fabric", "speed"]);
  expect(after("state", 1)).toEqual(["name", "fabric", "state", "speed"]);
});

it("arranges the columns, and says which of them narrow screens omit", () => {
  expect(arrange(COLUMNS, parseLayout("name.speed*.fabric", COLUMNS))).toEqual([
    { id: "name", wide: false },
    { id: "speed", isExtra: true, wide: true },
    { id: "fabric", wide: false },
  ]);
});
