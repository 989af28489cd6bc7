import { expect, it } from "vitest";
import { csvOf, type Column } from "@/ui/table/columns";

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

it("gives the CSV exactly the rows it is given, in base units", () => {
  const rows = [
    { name: "sp1", bps: 70 },
    { name: "sp10", bps: 5 },
  ];
  expect(csvOf(rows, COLUMNS)).toBe("name,rate (bit/s)\r\nsp1,70\r\nsp10,5\r\n");
});
