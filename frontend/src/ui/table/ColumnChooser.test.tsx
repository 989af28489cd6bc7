import { useState } from "react";
import { fireEvent, render, screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Theme } from "@/Theme";
import { ColumnChoices } from "@/ui/table/ColumnChooser";
import type { Column } from "@/ui/table/columns";
import { DataTable } from "@/ui/table/DataTable";

const COLUMNS: Column<string>[] = [
  { id: "name", header: "name", value: (name) => name },
  { id: "length", header: "length", align: "right", value: ({ length }) => length },
  { id: "first", header: "first letter", value: ([letter]) => letter },
  { id: "upper", header: "upper case", isExtra: true, value: (name) => name.toUpperCase() },
];

function Table({ onChange }: { onChange: (text: string) => void }) {
  const [text, setText] = useState("");
  const set = (next: string) => {
    setText(next);
    onChange(next);
  };
  return (
    <>
      <DataTable
        label="Nodes"
        noun="nodes"
        rows={["sp1"]}
        columns={COLUMNS}
        layout={{ text, set }}
        rowKey={(name) => name}
        empty={null}
      />
      <ColumnChoices columns={COLUMNS} layout={{ text, set }} />
    </>
  );
}

const headers = () =>
  within(screen.getByRole("table"))
    .getAllByRole("columnheader")
    .map(({ textContent }) => textContent);

/** The table, and the content of its chooser, open without a popover. */
function open(onChange = vi.fn<(text: string) => void>()): HTMLElement {
  render(<Table onChange={onChange} />, { wrapper: Theme });
  return screen.getByRole("list", { name: "Columns" });
}

it("shows, hides and resets columns, but never hides the row's name", () => {
  const list = open();
  expect(headers()).toEqual(["name", "length", "first letter"]);
  fireEvent.click(within(list).getByRole("checkbox", { name: "upper case" }));
  fireEvent.click(within(list).getByRole("checkbox", { name: "length" }));
  expect(headers()).toEqual(["name", "first letter", "upper case"]);
  expect(within(list).getByRole("checkbox", { name: "name" }).hasAttribute("disabled")).toBe(true);
  fireEvent.click(screen.getByRole("button", { name: "Reset to default" }));
  expect(headers()).toEqual(["name", "length", "first letter"]);
});

it("moves a column and keeps the focus on the button, also where it can go no further", () => {
  const list = open();
  const later = within(list).getByRole("button", { name: /^Move length later/ });
  later.focus();
  fireEvent.click(later);
  expect(headers()).toEqual(["name", "first letter", "length"]);
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Move length later, column 3 of 3");
  fireEvent.click(document.activeElement as Element);
  expect(headers()).toEqual(["name", "first letter", "length"]);
});

it("leaves a column out on narrow screens", () => {
  const onChange = vi.fn<(text: string) => void>();
  const list = open(onChange);
  fireEvent.click(within(list).getByRole("checkbox", { name: "Show length on phones" }));
  expect(onChange).toHaveBeenCalledWith("name.length*.first");
  expect(screen.getByRole("columnheader", { name: "length" }).getAttribute("data-wide")).toBe("true");
});
