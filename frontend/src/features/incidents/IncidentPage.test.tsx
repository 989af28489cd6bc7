import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { MemoryRouter, Route, Routes } from "react-router";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Incident, IncidentDetail } from "@/api/types";
import { handlers } from "@/mocks/handlers";
import { incidentDetails } from "@/mocks/incidents";
import { Theme } from "@/Theme";
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

function open(path: string) {
  render(
    <Theme>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter initialEntries={[path]}>
          <Routes>
            <Route path="incidents" element={<IncidentsPage />} />
            <Route path="incidents/:id" element={<IncidentPage />} />
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
