import { expect, it } from "vitest";
import { toCsv } from "@/util/csv";

it("quotes what would break a line or a cell", () => {
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

it("never hands a spreadsheet a formula", () => {
  expect(toCsv(["x"], [["=1+1"], ["@cmd"], ["-1.5"], ["-rm"], [-3]])).toBe(
    "x\r\n'=1+1\r\n'@cmd\r\n-1.5\r\n'-rm\r\n-3\r\n",
  );
});
