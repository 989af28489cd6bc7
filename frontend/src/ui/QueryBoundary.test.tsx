import { render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, it, vi } from "vitest";
import { SearchContext } from "@/ui/states/MissingState";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { Theme } from "@/Theme";

const MISSING = { data: undefined, error: new Error("There is no extension node 99."), refetch: vi.fn() };

const draw = (page: ReactNode) => render(<Theme>{page}</Theme>);

it("shows the page's heading and the reason if the page cannot be loaded", () => {
  draw(
    <QueryBoundary query={MISSING} what="this extension node" page="Extension node">
      {() => <p>found</p>}
    </QueryBoundary>,
  );
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Extension node");
  expect(screen.getByRole("alert").textContent).toContain("There is no extension node 99.");
});

it("shows no heading if only a part of the page fails", () => {
  draw(
    <QueryBoundary query={MISSING} what="its events">
      {() => <p>found</p>}
    </QueryBoundary>,
  );
  expect(screen.queryByRole("heading", { level: 1 })).toBeNull();
});

it("keeps the old data while a refetch fails", () => {
  draw(
    <QueryBoundary query={{ ...MISSING, data: 1 }} what="this extension node" page="Extension node">
      {(data) => <p>found {data}</p>}
    </QueryBoundary>,
  );
  expect(screen.getByText("found 1")).toBeDefined();
});

it("offers the search for an object that does not exist, and no retry", () => {
  const error = Object.assign(new Error("There is no such device, or it was removed."), { status: 404 });
  const searched: string[] = [];
  draw(
    <SearchContext value={(text) => searched.push(text)}>
      <QueryBoundary query={{ data: undefined, error, refetch: vi.fn() }} what="this device" page="Device">
        {() => <p>found</p>}
      </QueryBoundary>
    </SearchContext>,
  );
  expect(screen.getByRole("alert").textContent).toContain("There is no such device, or it was removed.");
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  screen.getByRole("button", { name: "Search" }).click();
  expect(searched).toEqual([""]);
});
