import { render, screen, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { expect, it } from "vitest";
import type { Outage, Path } from "@/api/types";
import { paths, policies } from "@/mocks/paths";
import { Theme } from "@/Theme";
import { matrices } from "./matrix";
import { MatrixTable } from "./MatrixTable";

const NOW = Date.parse("2026-05-01T12:00:00Z");

function cellsOf(change: Partial<Path>): HTMLElement[] {
  const path = { ...(paths(NOW, "cut")[0] as Path), ...change };
  const [matrix] = matrices([path], policies());
  if (matrix === undefined) throw new Error("no matrix");
  render(
    <Theme>
      <MemoryRouter>
        <MatrixTable
          matrix={matrix}
          selected={null}
          sort=""
          onSort={() => undefined}
          onSelect={() => undefined}
        />
      </MemoryRouter>
    </Theme>,
  );
  const table = screen.getByRole("table");
  const names = within(table)
    .getAllByRole("columnheader")
    .map(({ textContent }) => textContent?.trim());
  const row = within(table).getAllByRole("row")[1] as HTMLElement;
  const cells = within(row).getAllByRole("cell");
  // The node is a row header, not a cell.
  const at = (name: string) => cells[names.indexOf(name) - 1] as HTMLElement;
  return [at("last outage"), at("grf1 preferred")];
}

const OUTAGE = paths(NOW, "cut")[0]?.last_outage as Outage;

it("shows an ongoing outage as a lower bound", () => {
  const [ongoing] = cellsOf({ last_outage: { ...OUTAGE, end: null, text: "at least 10 s, ongoing" } });
  expect(ongoing?.textContent).toMatch(/^at least 10 s, ongoing, /);
});

it("shows a measured outage with its method as tooltip", () => {
  const [measured] = cellsOf({ last_outage: { ...OUTAGE, text: "131 ms" } });
  expect(measured?.textContent).toMatch(/^131 ms, /);
  expect(measured?.querySelector("[title]")?.getAttribute("title")).toContain("probes every 50 ms");
});

it("shows no outage as a dash", () => {
  const [none] = cellsOf({ last_outage: null });
  expect(none?.textContent).toBe("–");
});

it.each([
  ["dead", false],
  ["unknown", false],
  ["standby_dead", false],
  ["standby_verified", true],
] as const)("shows the round-trip time of a gateway that is %s: %s", (use, isShown) => {
  const gateways = (paths(NOW, "cut")[0] as Path).gateways.map((one) => ({ ...one, use, rtt_ms: 2.5 }));
  const [, cell] = cellsOf({ gateways });
  expect(cell?.textContent?.includes("ms")).toBe(isShown);
});
