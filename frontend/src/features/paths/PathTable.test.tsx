import type { ReactNode } from "react";
import { fireEvent, render, screen, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { expect, it, vi } from "vitest";
import type { Outage, Path, PathHistory } from "@/api/types";
import { pathGroups, paths } from "@/mocks/paths";
import { Theme } from "@/Theme";
import { GROUP_COLUMNS, NODE_COLUMNS } from "./columns";
import { GroupRows, LongPathTable, PathRows, PathTable } from "./PathTable";
import { Timeline } from "./Timeline";

/** jsdom has no layout: of a long list, the fourth to the sixth row are near the viewport. */
vi.mock("@/ui/table/useVisibleRows", () => ({
  useVisibleRows: (count: number, _body: unknown, rowPx = 33) => {
    const [first, end] = count > 80 ? [3, 6] : [0, count];
    return {
      visible: Array.from({ length: end - first }, (_, at) => ({ index: first + at })),
      above: first * rowPx,
      below: (count - end) * rowPx,
      isVirtual: count > 80,
      measure: undefined,
    };
  },
}));

const NOW = Date.parse("2026-05-01T12:00:00Z");

const IGNORED = { columns: NODE_COLUMNS, selected: null, onSelect: () => undefined };

function show(rows: ReactNode, isGrouped = false): HTMLElement {
  return showTable(
    <PathTable columns={isGrouped ? GROUP_COLUMNS : NODE_COLUMNS} sort="" onSort={() => undefined}>
      {rows}
    </PathTable>,
  );
}

function showTable(table: ReactNode): HTMLElement {
  render(
    <Theme>
      <MemoryRouter>{table}</MemoryRouter>
    </Theme>,
  );
  return screen.getByRole("table");
}

function cellsOf(change: Partial<Path>): HTMLElement[] {
  const path = { ...(paths(NOW, "cut")[0] as Path), ...change };
  const table = show(<PathRows paths={[path]} {...IGNORED} />);
  const names = within(table)
    .getAllByRole("columnheader")
    .map(({ textContent }) => textContent?.trim());
  const row = within(table).getAllByRole("row")[1] as HTMLElement;
  const cells = within(row).getAllByRole("cell");
  // The node is a row header, not a cell.
  const at = (name: string) => cells[names.indexOf(name) - 1] as HTMLElement;
  return [at("last outage"), at("gateways")];
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

const useOf = (index: number) =>
  index === 0
    ? ("active" as const)
    : index < 5 || index === 7
      ? ("standby_verified" as const)
      : ("dead" as const);

it.each([
  [4, ["gw0", "gw1", "gw2", "gw3"]],
  [8, ["gw0", "gw1 and 4 more", "gw5 and 1 more"]],
])("shows %i gateways, of many those of one use together", (number, expected) => {
  const [one] = (paths(NOW, "cut")[0] as Path).gateways;
  const gateways = Array.from({ length: number }, (_, index) => ({
    ...(one as Path["gateways"][number]),
    name: `gw${index}`,
    use: useOf(index),
    rtt_ms: null,
  }));
  const [, cell] = cellsOf({ gateways });
  const marks = [...(cell?.querySelectorAll("[data-gateway]") ?? [])].map(({ textContent }) => textContent);
  expect(marks).toEqual(expected.map((start) => expect.stringMatching(new RegExp(`^${start} (?!and)`))));
});

it("shows a failover of many nodes as one row with its cause, and opens it", () => {
  const groups = pathGroups(NOW, "cut");
  const onOpen = vi.fn<(key: string) => void>();
  const rows = { groups, onOpen, members: undefined, rest: undefined, error: null, ...IGNORED };
  const table = show(<GroupRows {...rows} open="" />, true);
  const [header, ...lines] = within(table).getAllByRole("row");
  expect(header?.textContent).toContain("nodes");
  expect(lines.map((line) => line.getAttribute("data-paths") ?? line.getAttribute("data-node"))).toEqual([
    "8",
    "router",
    "origin1",
  ]);
  expect(lines[0]?.textContent).toContain("8 nodes fell over from grf1 to atmgw at ");
  expect(within(table).getByRole("link", { name: "grf1 lost all links" }).getAttribute("href")).toBe(
    "/incidents/1",
  );
  fireEvent.click(within(table).getByRole("button", { expanded: false }));
  expect(onOpen).toHaveBeenCalledWith("key of sp-default");
});

it("shows the paths of the open group below it, and why they are missing", () => {
  const groups = pathGroups(NOW, "cut");
  const rows = { groups, onOpen: () => undefined, rest: undefined, open: "key of sp-default", ...IGNORED };
  const members = paths(NOW, "cut").filter(({ policy }) => policy === "sp-default");
  const table = show(<GroupRows {...rows} members={members} error={null} />, true);
  expect(table.querySelectorAll('tr[data-member="true"]')).toHaveLength(8);
  expect(within(table).getByRole("button", { expanded: true })).toBeDefined();
});

it("says why the paths of the open group are missing", () => {
  const rows = { groups: pathGroups(NOW, "cut"), onOpen: () => undefined, rest: undefined, ...IGNORED };
  const failed = new Error("The server is unreachable.");
  const table = show(
    <GroupRows {...rows} open="key of sp-default" members={undefined} error={failed} />,
    true,
  );
  expect(within(table).getByRole("status").textContent).toBe("The server is unreachable.");
});

it("shows a past moment with its own ages, what is not kept, and nothing to do", () => {
  const since = new Date(NOW - 90_000).toISOString();
  const past = { ...(paths(NOW, "normal")[0] as Path), since, standby: null, managed: null, rtt_ms: null };
  render(
    <Theme>
      <MemoryRouter initialEntries={[`/paths?from=now-6h&to=${new Date(NOW).toISOString()}`]}>
        <PathTable columns={NODE_COLUMNS} sort="" onSort={() => undefined}>
          <PathRows paths={[past]} {...IGNORED} />
        </PathTable>
      </MemoryRouter>
    </Theme>,
  );
  expect(screen.getByText("1 min 30 s")).toBeDefined();
  expect(screen.getAllByText("not kept")).toHaveLength(2);
  expect(screen.queryByRole("button", { name: /Decisions, move and drill/ })).toBeNull();
});

const manyPaths = (number: number): Path[] =>
  Array.from({ length: number }, (_, id) => ({ ...(paths(NOW, "normal")[0] as Path), id, node: `h${id}` }));

const nodesIn = (list: HTMLElement): (string | null)[] =>
  [...list.querySelectorAll("[data-node]")].map((row) => row.getAttribute("data-node"));

const LONG = { ...IGNORED, rest: undefined, sort: "", onSort: () => undefined };

it("renders of many paths those near the viewport, in a table that says how many there are", () => {
  const table = showTable(<LongPathTable paths={manyPaths(500)} {...LONG} />);
  expect(nodesIn(table)).toEqual(["h3", "h4", "h5"]);
  const row = within(table).getByRole("row", { name: /h4/ });
  expect([row.getAttribute("data-index"), row.getAttribute("aria-rowindex")]).toEqual(["4", "6"]);
  expect(table.getAttribute("aria-rowcount")).toBe("501");
  const spaces = [...table.querySelectorAll<HTMLElement>("tr[aria-hidden] td")];
  // Two gateways below each other, until the rows are measured.
  expect(spaces.map(({ style }) => style.height)).toEqual(["120px", "19760px"]);
});

it("renders all paths of a small site, so that the browser's search finds each", () => {
  const table = showTable(<LongPathTable paths={manyPaths(80)} {...LONG} />);
  expect(nodesIn(table)).toHaveLength(80);
});

it("renders of many histories those near the viewport, and lists the switches of all", () => {
  const history: PathHistory = {
    path_id: 0,
    since: new Date(NOW - 3600_000).toISOString(),
    until: new Date(NOW).toISOString(),
    segments: [],
    outages: [],
    switches: [],
  };
  const moved = {
    at: new Date(NOW - 60_000).toISOString(),
    from_gateway: "grf1",
    to_gateway: "atmgw",
    outage_text: "131 ms",
  } as PathHistory["switches"][number];
  const tracks = manyPaths(200).map((path) => ({ path, history }));
  const last = {
    path: { ...(paths(NOW, "normal")[0] as Path), id: 200, node: "h200" },
    history: { ...history, switches: [moved] },
  };
  const { container: page } = render(
    <Timeline tracks={[...tracks, last]} start={NOW / 1000 - 3600} end={NOW / 1000} />,
  );
  const strips = screen.getByRole("list", { name: "Gateways in use over time" });
  expect(nodesIn(strips)).toEqual(["h3", "h4", "h5"]);
  expect([strips.style.paddingTop, strips.style.paddingBottom]).toEqual(["72px", "4680px"]);
  expect(page.textContent).toContain("h200: 0.0.0.0/0 moved from grf1 to atmgw");
});
