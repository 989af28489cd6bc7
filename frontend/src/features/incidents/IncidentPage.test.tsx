import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import type { ReactNode } from "react";
import { MemoryRouter, Route, Routes } from "react-router";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import type { Incident, IncidentDetail } from "@/api/types";
import { handlers } from "@/mocks/handlers";
import { incidentDetails } from "@/mocks/incidents";
import { Theme } from "@/Theme";
import { ConfirmDialog } from "@/ui/confirm";
import type { Drawings } from "./IncidentCharts";
import { IncidentPage } from "./IncidentPage";
import { IncidentsPage } from "./IncidentsPage";

const server = setupServer(...handlers);
beforeAll(() => server.listen());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const NOW = Date.now();
const [ROOT, EFFECT] = incidentDetails(NOW, "cut") as [IncidentDetail, IncidentDetail];

/** The server has this incident, and `effects` of it. */
function serve(incident: IncidentDetail, effects: Incident[] = []): URLSearchParams[] {
  const asked: URLSearchParams[] = [];
  server.use(
    http.get("*/api/v1/incidents", ({ request }) => {
      const query = new URL(request.url).searchParams;
      asked.push(query);
      const items = query.get("cause_id") === String(incident.id) ? effects : [incident];
      return HttpResponse.json({ items, next: null });
    }),
    http.get("*/api/v1/incidents/:id", () => HttpResponse.json(incident)),
  );
  return asked;
}

const NOT_DRAWN: Drawings = { link: () => null, metric: () => null, clock: () => null, paths: () => null };

function open(path: string, drawings = NOT_DRAWN, notified: () => ReactNode = () => null) {
  render(
    <Theme>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ConfirmDialog />
        <MemoryRouter initialEntries={[path]}>
          <Routes>
            <Route path="incidents" element={<IncidentsPage />} />
            <Route path="incidents/:id" element={<IncidentPage drawings={drawings} notified={notified} />} />
          </Routes>
        </MemoryRouter>
      </QueryClientProvider>
    </Theme>,
  );
}

it("lists the evidence with source, reporting node and age, and what contradicts it", async () => {
  const contradiction = {
    source: "bfd" as const,
    label: "BFD",
    text: "session with grf1 is up",
    at: null,
    age_s: null,
    by: "sp01, sp02",
    supports: false,
  };
  serve({ ...ROOT, evidence: [...ROOT.evidence, contradiction] });
  open(`/incidents/${ROOT.id}`);
  const list = await screen.findByRole("list", { name: "Evidence" });
  const [first, last] = within(list).getAllByRole("listitem");
  expect(first?.textContent).toMatch(/^supportsCarrierrouter:at0 has no carrierreported by router\d+ s ago$/);
  expect(last?.textContent).toBe("contradictsBFDsession with grf1 is upreported by sp01, sp02time unknown");
  expect(last?.dataset.supports).toBe("false");
});

it("says that no evidence was recorded rather than showing an empty box", async () => {
  serve({ ...ROOT, evidence: [] });
  open(`/incidents/${ROOT.id}`);
  expect(await screen.findByText("No evidence recorded.")).toBeDefined();
});

it("links its runbook and its objects, and counts its paths by what happened to them", async () => {
  const objects: IncidentDetail["objects"] = [
    { kind: "path", name: "sp01 to 0.0.0.0/0", url: "/paths?node=sp01&sel=1" },
    { kind: "path", name: "sp09 to 0.0.0.0/0", url: "/paths?node=sp09&sel=9" },
    { kind: "node", name: "grf1", url: "/devices/10" },
  ];
  serve({ ...ROOT, objects, dead_paths: [9, 10], rerouted_paths: [1], standby_paths: [] });
  open(`/incidents/${ROOT.id}`);
  const link = async (name: string) => (await screen.findByRole("link", { name })).getAttribute("href");
  expect(await link("Runbook: gateway lost all links")).toBe("/runbooks/gateway-isolated");
  expect(await link("grf1")).toBe("/devices/10");
  expect(await link("sp01 to 0.0.0.0/0")).toBe("/paths?node=sp01&sel=1");
  const text = (title: string) => screen.getByText(title).parentElement?.textContent;
  expect(text("Dead: 2 paths")).toBe("Dead: 2 pathssp09 to 0.0.0.0/0, and 1 more");
  expect(text("Rerouted: 1 path")).toBe("Rerouted: 1 pathsp01 to 0.0.0.0/0");
});

it("shows the effects of a root cause, those that last while it lasts", async () => {
  const asked = serve(ROOT, [EFFECT]);
  open(`/incidents/${ROOT.id}`);
  const effects = await screen.findByRole("list", { name: `Caused by ${ROOT.title}` });
  expect(effects.textContent).toContain("grf1:ga030 has no carrier");
  expect(screen.getByRole("heading", { name: "Root cause of 1 incident" })).toBeDefined();
  expect(asked.map((query) => query.get("phase"))).toEqual(["current"]);
});

it("shows all effects once the root cause is resolved", async () => {
  const resolved = { ...ROOT, phase: "resolved" as const, resolved_at: new Date(NOW).toISOString() };
  const asked = serve(resolved, [EFFECT]);
  open(`/incidents/${ROOT.id}`);
  await screen.findByRole("list", { name: `Caused by ${ROOT.title}` });
  expect(asked.map((query) => query.get("phase"))).toEqual([null]);
});

it("leads from an effect to its root cause", async () => {
  serve({ ...EFFECT, objects: [{ kind: "incident", name: ROOT.title, url: ROOT.url }] });
  open(`/incidents/${EFFECT.id}`);
  const cause = await screen.findByRole("link", { name: ROOT.title });
  expect(cause.getAttribute("href")).toBe("/incidents/1");
  expect(screen.getByText("caused by")).toBeDefined();
});

it("collapses effects in the list until they are asked for", async () => {
  const asked = serve(ROOT, [EFFECT]);
  open("/incidents");
  const toggle = await screen.findByRole("button", { name: "Show 1 effect" });
  expect(screen.queryByText(EFFECT.title)).toBeNull();
  expect(asked.some((query) => query.has("cause_id"))).toBe(false);
  fireEvent.click(toggle);
  expect(await screen.findByText(EFFECT.title)).toBeDefined();
  expect(screen.getByTestId("headline").textContent).toBe(
    "1 unresolved incident, 1 effect, 1 unacknowledged.",
  );
});

/** An operator is signed in; the bodies of all POST requests. */
function operator(): { url: string; body: unknown }[] {
  const sent: { url: string; body: unknown }[] = [];
  server.use(
    http.post("*/api/v1/incidents/*", async ({ request }) => {
      sent.push({ url: new URL(request.url).pathname, body: await request.json() });
      return HttpResponse.json(request.url.endsWith("/bulk") ? { changed: 1, unchanged: 0 } : ROOT);
    }),
  );
  return sent;
}

it("snoozes an incident of the inbox with two clicks", async () => {
  serve(ROOT);
  const sent = operator();
  open("/incidents");
  const select = await screen.findByRole("combobox", { name: `Snooze ${ROOT.title}` });
  fireEvent.change(select, { target: { value: "14400" } });
  await screen.findByRole("list", { name: "Incidents" });
  await vi.waitFor(() =>
    expect(sent).toEqual([
      { url: `/api/v1/incidents/${ROOT.id}/snooze`, body: { for_s: 14400, comment: "" } },
    ]),
  );
});

it("always shows what is hidden, and leads to it", async () => {
  const asked = serve(ROOT);
  server.use(
    http.get("*/api/v1/incidents/summary", () =>
      HttpResponse.json({ count: 1, digest: "d", snoozed: 2, in_maintenance: 1, suppressed: 4 }),
    ),
  );
  open("/incidents");
  expect((await screen.findByTestId("hidden")).textContent).toBe(
    "Of the site: 2 snoozed, 1 in maintenance, 4 suppressed.",
  );
  expect(asked.at(0)?.get("muted")).toBe("false");
  fireEvent.click(screen.getByRole("button", { name: "Show 3 muted incidents" }));
  await vi.waitFor(() => expect(asked.at(-1)?.get("muted")).toBeNull());
});

it("snoozes exactly the incidents that the summary named", async () => {
  serve(ROOT);
  const sent = operator();
  server.use(
    http.get("*/api/v1/incidents/summary", () =>
      HttpResponse.json({ count: 7, digest: "seen", snoozed: 0, in_maintenance: 0, suppressed: 0 }),
    ),
  );
  open("/incidents");
  fireEvent.change(await screen.findByRole("combobox", { name: "Snooze all 7" }), {
    target: { value: "3600" },
  });
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({
    url: "/api/v1/incidents/bulk",
    body: {
      action: "snooze",
      count: 7,
      digest: "seen",
      for_s: 3600,
      filter: { phase: "current", root: true, muted: false },
    },
  });
});

it("assigns an incident to somebody of the site", async () => {
  serve({ ...ROOT, owner: "rita" });
  const sent = operator();
  open(`/incidents/${ROOT.id}`);
  fireEvent.click(await screen.findByRole("button", { name: "Owner: rita" }));
  const input = await screen.findByLabelText<HTMLInputElement>("User name");
  await vi.waitFor(() =>
    expect([...(input.list?.options ?? [])].map(({ value }) => value)).toEqual(
      expect.arrayContaining(["ada", "rita"]),
    ),
  );
  fireEvent.change(input, { target: { value: "ada" } });
  fireEvent.click(await screen.findByRole("button", { name: "Assign", hidden: true }));
  await vi.waitFor(() =>
    expect(sent).toEqual([
      { url: `/api/v1/incidents/${ROOT.id}/assign`, body: { owner: "ada", comment: "" } },
    ]),
  );
  // The server still answers with the owner of before.
  fireEvent.click(await screen.findByRole("button", { name: "Owner: rita" }));
  fireEvent.click(await screen.findByRole("button", { name: "Assign to me", hidden: true }));
  await vi.waitFor(() => expect(sent.at(-1)?.body).toEqual({ owner: "demo", comment: "" }));
});

it("assigns exactly the matching incidents after a confirmation with their number", async () => {
  serve(ROOT);
  const sent = operator();
  server.use(
    http.get("*/api/v1/incidents/summary", () =>
      HttpResponse.json({ count: 7, digest: "seen", snoozed: 0, in_maintenance: 0, suppressed: 0 }),
    ),
  );
  open("/incidents");
  fireEvent.click(await screen.findByRole("button", { name: "Assign all" }));
  fireEvent.change(await screen.findByLabelText("User name"), { target: { value: "ada" } });
  fireEvent.click(await screen.findByRole("button", { name: "Assign", hidden: true }));
  const dialog = await screen.findByRole("dialog", { name: "Assign 7 incidents to ada?" });
  expect(sent).toEqual([]);
  fireEvent.click(within(dialog).getByRole("button", { name: "Assign" }));
  await vi.waitFor(() =>
    expect(sent[0]).toMatchObject({ body: { action: "assign", owner: "ada", count: 7, digest: "seen" } }),
  );
});

it("marks flapping, owner and snooze on a line and on the page", async () => {
  const since = new Date(NOW - 3_600_000).toISOString();
  const more = { occurrences: 4, flapping_since: since, owner: "ada", muted: "snoozed" as const };
  serve({ ...ROOT, ...more });
  open("/incidents");
  expect(await screen.findByText("snoozed, flapping, 4 times, owner ada")).toBeDefined();
});

it("lists comments as text and adds one", async () => {
  const comment = { id: 1, author: "ada", text: "<b>bad cable</b>", at: new Date(NOW).toISOString() };
  serve({ ...ROOT, comments: [comment] });
  const sent = operator();
  open(`/incidents/${ROOT.id}`);
  const list = await screen.findByRole("list", { name: "Comments" });
  expect(list.textContent).toContain("<b>bad cable</b>");
  fireEvent.change(await screen.findByLabelText("Comment"), { target: { value: "replaced" } });
  fireEvent.click(screen.getByRole("button", { name: "Comment" }));
  await vi.waitFor(() =>
    expect(sent).toEqual([{ url: `/api/v1/incidents/${ROOT.id}/comments`, body: { text: "replaced" } }]),
  );
});

const START = new Date(NOW - 3_600_000).toISOString();
const CHARTS: IncidentDetail["charts"] = {
  start: START,
  end: null,
  metrics: [],
  link_ids: [],
  paths: [],
  clock: null,
  direction: null,
  threshold: null,
  more: 0,
};
const METRIC = {
  node_id: 10,
  metric: "entity.temperature",
  subject: "temp1",
  name: "Temperature of temp1",
  threshold: 60,
};

it("draws what is measured of its objects around its time, and counts the rest", async () => {
  const paths = [{ id: 3, node: "sp03", prefix: "0.0.0.0/0" }];
  serve({ ...ROOT, charts: { ...CHARTS, metrics: [METRIC], link_ids: [12, 13], paths, more: 5 } });
  const drawn: unknown[] = [];
  const range = { from: START, to: "now" };
  open(`/incidents/${ROOT.id}`, {
    link: (...link) => {
      drawn.push(link);
      return <p>load of link {link[0]}</p>;
    },
    metric: (...metric) => {
      drawn.push(metric);
      return <p>{metric[0].name}</p>;
    },
    clock: () => null,
    paths: (...of) => {
      drawn.push(of);
      return <p>paths of the incident</p>;
    },
  });
  expect(await screen.findByText("load of link 13")).toBeDefined();
  expect(screen.getByText("Temperature of temp1")).toBeDefined();
  expect(screen.getByText("paths of the incident")).toBeDefined();
  expect(screen.getByText(/^5 further objects of this incident have a history/)).toBeDefined();
  expect(drawn.slice(-4)).toEqual([
    [METRIC, range],
    ["argonne", paths, range],
    [12, range],
    [13, range],
  ]);
});

it("draws the clock of its node", async () => {
  serve({ ...ROOT, charts: { ...CHARTS, clock: "grf1" } });
  open(`/incidents/${ROOT.id}`, {
    ...NOT_DRAWN,
    clock: (site, node) => (
      <p>
        clock of {node} at {site}
      </p>
    ),
  });
  expect(await screen.findByText("clock of grf1 at argonne")).toBeDefined();
});

it("says plainly that nothing is measured", async () => {
  serve({ ...ROOT, charts: CHARTS });
  open(`/incidents/${ROOT.id}`);
  expect(await screen.findByText("Nothing about this incident is measured over time.")).toBeDefined();
});
