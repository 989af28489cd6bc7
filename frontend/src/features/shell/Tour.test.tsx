import { fireEvent, render, screen } from "@testing-library/react";
import { MemoryRouter, useLocation } from "react-router";
import { expect, it } from "vitest";
import { Theme } from "@/Theme";
import { PAGES } from "./pages";
import { STOPS, stopUrl, Tour } from "./Tour";

function Address() {
  const { pathname, search } = useLocation();
  return <output>{`${pathname}${search}`}</output>;
}

function open(address: string) {
  render(
    <Theme>
      <MemoryRouter initialEntries={[address]}>
        <Tour />
        <Address />
      </MemoryRouter>
    </Theme>,
  );
}

const address = () => screen.getByRole("status").textContent;
const press = (name: string) => fireEvent.click(screen.getByText(name));

it("leads through all stops and keeps site and time range", () => {
  open(`${stopUrl(1)}&site=casa&from=now-6h`);
  for (const { path, title } of STOPS) {
    expect(screen.getByRole("heading").textContent).toBe(title);
    expect(address()).toMatch(new RegExp(`^${path}\\?tour=\\d&site=casa&from=now-6h$`));
    if (path !== STOPS.at(-1)?.path) press("Next");
  }
  expect(screen.queryByText("Next")).toBeNull();
  press("Back");
  expect(address()).toContain("/incidents?tour=6");
});

it("ends without leaving the page", () => {
  open(stopUrl(2));
  press("End");
  expect(screen.queryByRole("region", { name: "Tour" })).toBeNull();
  expect(address()).toBe("/map");
});

it("shows nothing at another page, or at a stop that does not exist", () => {
  open("/links?tour=2");
  open("/?tour=99");
  expect(screen.queryByRole("region", { name: "Tour" })).toBeNull();
});

it("stops only at pages of the menu, and at documentation", () => {
  const known = PAGES.map(({ path }) => path);
  for (const { path } of STOPS) if (!path.startsWith("/help/")) expect(known).toContain(path);
});
