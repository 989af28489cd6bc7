import { MantineProvider } from "@mantine/core";
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { DataTable } from "@/ui/table/DataTable";
import type { Column, Rest } from "@/ui/table/columns";

const COLUMNS: Column<string>[] = [
  { id: "name", header: "name", sortable: true, value: (name) => name },
  { id: "length", header: "length", align: "right", value: ({ length }) => length },
];

function draw(rows: string[], more: { rest?: Rest; all?: () => Promise<string[]> } = {}) {
  const onSort = vi.fn();
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
      {...more}
      empty={<p>none</p>}
    />,
    { wrapper: MantineProvider },
  );
  return onSort;
}

it("shows rows in the given order as plain links, with sort and count", () => {
  draw(["sp10", "sp2"]);
  expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    "/devices/sp10",
    "/devices/sp2",
  ]);
  expect(screen.getByRole("columnheader", { name: "name" }).getAttribute("aria-sort")).toBe("ascending");
  expect(screen.getByText("2 nodes")).toBeDefined();
});

it("moves between rows with the arrow keys", () => {
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

it("requests the reverse order when the header is pressed again", () => {
  const onSort = draw(["sp1"]);
  fireEvent.click(screen.getByRole("button", { name: "name" }));
  expect(onSort).toHaveBeenCalledWith("-name");
});

it("explains why it is empty and disables CSV", () => {
  draw([]);
  expect(screen.getByText("none")).toBeDefined();
  expect(screen.getByRole("button", { name: /CSV/ }).hasAttribute("disabled")).toBe(true);
});

it("offers only sorts of the API", () => {
  draw(["sp1"]);
  expect(screen.queryByRole("button", { name: "length" })).toBeNull();
});

it("shows that more rows exist, loads them when pressed, and exports all as CSV", () => {
  const load = vi.fn();
  const all = vi.fn(() => new Promise<string[]>(() => undefined));
  draw(["sp1", "sp2"], { rest: { isLoading: false, isFailed: false, load }, all });
  expect(screen.getByText("first 2 nodes")).toBeDefined();
  expect(screen.getByRole("table").getAttribute("aria-rowcount")).toBe("-1");
  fireEvent.click(screen.getByRole("button", { name: "Load more" }));
  expect(load).toHaveBeenCalledOnce();
  fireEvent.click(screen.getByRole("button", { name: /all matching nodes/ }));
  expect(all).toHaveBeenCalledOnce();
});

it("renders only the rows near the viewport of a long table", () => {
  draw(Array.from({ length: 2000 }, (_, index) => `sp${index}`));
  expect(screen.getByText(/^2.000 nodes$/)).toBeDefined();
  expect(screen.getByRole("table").getAttribute("aria-rowcount")).toBe("2001");
  expect(screen.queryAllByRole("link").length).toBeLessThan(100);
});

it("renders a row again only if it or its columns changed", () => {
  const cell = vi.fn((name: string) => name);
  const columns = (header: string): Column<string>[] => [
    { id: "name", header, value: nameOf, cell },
    ...COLUMNS.slice(1),
  ];
  const table = (rows: string[], shown: Column<string>[]) => (
    <DataTable label="Nodes" noun="nodes" rows={rows} columns={shown} rowKey={nameOf} empty={<p>none</p>} />
  );
  const { rerender } = render(table(["sp1", "sp2"], columns("name")), { wrapper: MantineProvider });
  cell.mockClear();
  rerender(table(["sp1", "sp2", "sp3"], columns("node")));
  expect(screen.getByRole("columnheader", { name: "node" })).toBeDefined();
  expect(cell.mock.calls).toEqual([["sp3"]]);
  rerender(table(["sp1"], [{ id: "name", header: "node", value: nameOf, cell: (name) => `${name} (down)` }]));
  expect(screen.getByRole("cell").textContent).toBe("sp1 (down)");
});

const nameOf = (name: string): string => name;
