import { expect, it } from "vitest";
import { csvOf, toCsv, type Column } from "@/ui/table/columns";

interface Row {
  name: string;
  bps: number | null;
}

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

it("exports exactly the given rows as CSV, in base units", () => {
  const rows = [
    { name: "sp1", bps: 70 },
    { name: "sp10", bps: 5 },
  ];
  expect(csvOf(rows, COLUMNS)).toBe("name,rate (bit/s)\r\nsp1,70\r\nsp10,5\r\n");
});

it("quotes cells that contain separators, quotes or line breaks", () => {
  expect(
    toCsv(
      ["name", "note"],
      [
        ["sp01", 'said "no", twice'],
        ["a\nb", null],
      ],
    ),
  ).toBe('name,note\r\nsp01,"said ""no"", twice"\r\n"a\nb",\r\n');
});

it("prefixes cells that a spreadsheet would evaluate as formulas", () => {
  expect(toCsv(["x"], [["=1+1"], ["@cmd"], ["-1.5"], ["-rm"], [-3]])).toBe(
    "x\r\n'=1+1\r\n'@cmd\r\n-1.5\r\n'-rm\r\n-3\r\n",
  );
});
