import { MantineProvider } from "@mantine/core";
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { NamePicker } from "@/ui/NamePicker";

function draw(names: string[]) {
  const [onSearch, onPick] = [vi.fn(), vi.fn()];
  const picker = (known: string[]) => (
    <NamePicker label="Node" value="" names={known} onSearch={onSearch} onPick={onPick} />
  );
  const { rerender } = render(picker(names), { wrapper: MantineProvider });
  const field = screen.getByLabelText("Node");
  const type = (value: string) => fireEvent.input(field, { target: { value }, inputType: "insertText" });
  return { field, type, onSearch, onPick, suggest: (known: string[]) => rerender(picker(known)) };
}

it("searches what is typed, and takes no name before Enter", () => {
  const { type, onSearch, onPick } = draw(["sp1", "sp10"]);
  type("sp1");
  expect(onSearch).toHaveBeenCalledWith("sp1");
  expect(onPick).not.toHaveBeenCalled();
});

it("takes the name on Enter once it is among the suggestions", () => {
  const { field, type, onPick, suggest } = draw(["sp01"]);
  type("grf1");
  fireEvent.keyDown(field, { key: "Enter" });
  expect(onPick).not.toHaveBeenCalled();
  suggest(["grf1"]);
  expect(onPick).toHaveBeenCalledExactlyOnceWith("grf1");
});

it("takes a chosen suggestion at once", () => {
  const { field, onPick } = draw(["sp01"]);
  fireEvent.input(field, { target: { value: "sp01" }, inputType: "insertReplacementText" });
  expect(onPick).toHaveBeenCalledExactlyOnceWith("sp01");
});

it("empties the field after a pick that only adds to a list", () => {
  const { field, type } = draw(["grf1"]);
  type("grf1");
  fireEvent.keyDown(field, { key: "Enter" });
  expect((field as HTMLInputElement).value).toBe("");
});
