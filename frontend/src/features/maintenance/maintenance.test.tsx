import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { MemoryRouter, Route, Routes } from "react-router";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { draftOf, emptyDraft, localText, stopsText, validate, windowOf } from "./draft";
import { MaintenancePage } from "./MaintenancePage";
import { EditWindowPage, NewWindowPage } from "./WindowForm";
import { WindowPage } from "./WindowPage";
import { handlers } from "@/mocks/handlers";
import { windows } from "@/mocks/maintenance";
import { Theme } from "@/Theme";
import { ConfirmDialog } from "@/ui/confirm";

const server = setupServer(...handlers);
beforeAll(() => server.listen());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const NOW = Date.parse("2026-11-27T12:00:00Z");
const [ACTIVE, WEEKLY] = windows(NOW) as [ReturnType<typeof windows>[0], ReturnType<typeof windows>[0]];

function open(path: string) {
  render(
    <Theme>
      <ConfirmDialog />
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter initialEntries={[path]}>
          <Routes>
            <Route path="maintenance" element={<MaintenancePage />} />
            <Route path="maintenance/:id" element={<WindowPage />} />
            <Route path="maintenance/:id/edit" element={<EditWindowPage />} />
          </Routes>
        </MemoryRouter>
      </QueryClientProvider>
    </Theme>,
  );
}

it("keeps a window unchanged when it is edited and saved without a change", () => {
  for (const window of [ACTIVE, WEEKLY]) {
    const sent = windowOf(window.site, draftOf(window), window.excluded);
    expect(sent.rule).toBe(window.rule);
    expect(sent.duration_s).toBe(window.duration_s);
    expect(Date.parse(sent.starts_at)).toBe(Date.parse(window.starts_at));
    expect(sent.targets).toEqual(window.targets.map(({ kind, id }) => ({ kind, id })));
    expect([sent.mutes_notifications, sent.pauses_rules, sent.pauses_tests]).toEqual([
      window.mutes_notifications,
      window.pauses_rules,
      window.pauses_tests,
    ]);
  }
});

it("names what is missing", () => {
  const draft = {
    ...emptyDraft(new Date(NOW), "UTC"),
    minutes: "0",
    start: "soon",
    repeat: "custom" as const,
  };
  expect(Object.keys(validate(draft)).toSorted()).toEqual(["minutes", "name", "rule", "start", "targets"]);
});

it("writes a time as the browser's own", () => {
  expect(new Date(localText(new Date(NOW))).getTime()).toBe(NOW);
});

it("says what a window stops", () => {
  expect(stopsText(WEEKLY)).toBe("notifications, new incidents, tests");
  expect(stopsText({ ...WEEKLY, mutes_notifications: false, pauses_rules: false, pauses_tests: false })).toBe(
    "nothing",
  );
});

it("lists windows and says what is in maintenance now", async () => {
  open("/maintenance");
  const table = await screen.findByRole("table", { name: "Maintenance windows" });
  expect(within(table).getByText("weekly backup")).toBeDefined();
  expect(screen.getByTestId("headline").textContent).toBe("In maintenance: new cables; 1 window scheduled.");
});

it("ends the occurrence of now after a question", async () => {
  const ended: string[] = [];
  server.use(
    http.post("*/api/v1/maintenance-windows/:id/end", ({ params }) => {
      ended.push(String(params.id));
      return HttpResponse.json(ACTIVE);
    }),
  );
  open("/maintenance/1");
  fireEvent.click(await screen.findByRole("button", { name: "End now" }));
  expect(ended).toEqual([]);
  fireEvent.click(await screen.findByRole("button", { name: "End maintenance" }));
  await vi.waitFor(() => expect(ended).toEqual(["1"]));
});

it("shows the field that the server refuses", async () => {
  server.use(
    http.put("*/api/v1/maintenance-windows/:id", () =>
      HttpResponse.json(
        { code: "invalid", message: "The window cannot take place so.", fields: { zone: "expected a zone" } },
        { status: 400 },
      ),
    ),
  );
  open("/maintenance/2/edit");
  fireEvent.click(await screen.findByRole("button", { name: "Save window" }));
  expect(await screen.findByText("expected a zone")).toBeDefined();
});

it("starts with the objects that a list selected, which can be removed", async () => {
  const targets = [
    { kind: "node", id: 7, name: "sp01" },
    { kind: "node", id: 8, name: "sp02" },
  ];
  render(
    <Theme>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter initialEntries={[{ pathname: "/maintenance/new", state: { targets } }]}>
          <Routes>
            <Route path="maintenance/new" element={<NewWindowPage />} />
          </Routes>
        </MemoryRouter>
      </QueryClientProvider>
    </Theme>,
  );
  const list = await screen.findByRole("list", { name: "Objects" });
  expect(within(list).getAllByRole("listitem")).toHaveLength(2);
  fireEvent.click(within(list).getByRole("button", { name: "Remove sp01" }));
  expect(within(list).getByRole("listitem").textContent).toContain("sp02");
});
