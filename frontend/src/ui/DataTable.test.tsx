import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { DataTable } from "@/ui/DataTable";
import type { Column } from "@/ui/table";

const COLUMNS: Column<string>[] = [
  { id: "name", header: "name", value: (name) => name, cell: (name) => name },
];

function draw(rows: string[], onSort = vi.fn()) {
  render(
    <DataTable
      label="Nodes"
      noun="nodes"
      rows={rows}
      columns={COLUMNS}
      rowKey={(name) => name}
      rowHref={(name) => `/devices/${name}`}
      sort="name"
      onSort={onSort}
      empty={<p>none</p>}
    />,
  );
  return onSort;
}

it("shows each row as a plain link, says how it is sorted and how many there are", () => {
  draw(["sp10", "sp2"]);
  expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    "/devices/sp2",
    "/devices/sp10",
  ]);
  expect(screen.getByRole("columnheader").getAttribute("aria-sort")).toBe("ascending");
  expect(screen.getByText("2 nodes")).toBeDefined();
});

it("moves by the arrow keys from row to row", () => {
  draw(["sp1", "sp2", "sp3"]);
  const [first, second] = screen.getAllByRole("link");
  first?.focus();
  fireEvent.keyDown(first as Element, { key: "ArrowDown" });
  expect(document.activeElement).toBe(second);
});

it("counts a single row in the singular", () => {
  draw(["sp1"]);
  expect(screen.getByText("1 node")).toBeDefined();
});

it("asks for the other order when its header is pressed again", () => {
  const onSort = draw(["sp1"]);
  fireEvent.click(screen.getByRole("button", { name: "name" }));
  expect(onSort).toHaveBeenCalledWith("-name");
});

it("says why it is empty and offers no CSV then", () => {
  draw([]);
  expect(screen.getByText("none")).toBeDefined();
  expect(screen.getByRole("button", { name: /CSV/ }).hasAttribute("disabled")).toBe(true);
});
