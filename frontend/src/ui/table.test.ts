import { expect, it } from "vitest";
import { csvOf, nextSort, sorted, type Column } from "@/ui/table";

interface Row {
  name: string;
  bps: number | null;
}

const ROWS: Row[] = [
  { name: "sp10", bps: 5 },
  { name: "sp2", bps: null },
  { name: "sp1", bps: 70 },
];
const COLUMNS: Column<Row>[] = [
  { id: "name", header: "name", value: ({ name }) => name },
  {
    id: "bps",
    header: "rate",
    csvHeader: "rate (bit/s)",
    align: "right",
    value: ({ bps }) => bps,
    cell: ({ bps }) => `${bps} b/s`,
  },
];
const names = (rows: Row[]) => rows.map(({ name }) => name);

it("sorts by the column that the URL names, unknown figures last", () => {
  expect(names(sorted(ROWS, COLUMNS, "name"))).toEqual(["sp1", "sp2", "sp10"]);
  expect(names(sorted(ROWS, COLUMNS, "-bps"))).toEqual(["sp1", "sp10", "sp2"]);
});

it("leaves the order when the URL names no column of it", () => {
  expect(names(sorted(ROWS, COLUMNS, "-nonsense"))).toEqual(names(ROWS));
});

it("starts figures from the top and turns round at the second press", () => {
  expect(nextSort("name", "bps", true)).toBe("-bps");
  expect(nextSort("-bps", "bps", true)).toBe("bps");
  expect(nextSort("-bps", "name", false)).toBe("name");
});

it("gives the CSV exactly the rows it is given, in base units", () => {
  expect(csvOf(sorted(ROWS, COLUMNS, "-bps").slice(0, 2), COLUMNS)).toBe(
    "name,rate (bit/s)\r\nsp1,70\r\nsp10,5\r\n",
  );
});
