import { expect, it } from "vitest";
import { csvOf, toCsv, type Column } from "@/ui/table/columns";
import { csv } from "@/util/spec.json";

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

it.each(csv.examples as [string | number | boolean | null, string][])(
  "writes %j as the server does",
  (value, text) => expect(toCsv(["a", "b"], [[value, 1]])).toBe(`a,b\r\n${text},1\r\n`),
);
