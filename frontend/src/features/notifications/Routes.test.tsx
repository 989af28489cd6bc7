import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen, within } from "@testing-library/react";
import { http, HttpResponse } from "msw/http";
import { setupServer } from "msw/node";
import { MemoryRouter, Route, Routes, useLocation } from "react-router";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { NotificationRouteIn, ScheduleIn } from "@/api/notifications/queries";
import type { Person } from "@/api/types";
import { handlers } from "@/mocks/handlers";
import { ConfirmDialog } from "@/ui/confirm";
import { Theme } from "@/Theme";
import { DeliveriesPage, DeliveryPage } from "./DeliveriesPage";
import { EditRoutePage, NewRoutePage } from "./RouteForm";
import { RoutePage, RoutesPage } from "./RoutesPage";
import { EditSchedulePage, NewSchedulePage } from "./ScheduleForm";
import { SchedulePage, SchedulesPage } from "./SchedulesPage";

const server = setupServer(...handlers);
beforeAll(() => server.listen());
afterEach(() => {
  server.resetHandlers();
  server.events.removeAllListeners();
});
afterAll(() => server.close());

const Address = () => <p data-testid="address">{useLocation().pathname}</p>;
const address = () => screen.getByTestId("address").textContent;

function open(path: string) {
  render(
    <Theme>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter initialEntries={[path]}>
          <Routes>
            <Route path="notifications/routes" element={<RoutesPage />} />
            <Route path="notifications/routes/new" element={<NewRoutePage />} />
            <Route path="notifications/routes/:id" element={<RoutePage />} />
            <Route path="notifications/routes/:id/edit" element={<EditRoutePage />} />
            <Route path="notifications/schedules" element={<SchedulesPage />} />
            <Route path="notifications/schedules/new" element={<NewSchedulePage />} />
            <Route path="notifications/schedules/:id" element={<SchedulePage />} />
            <Route path="notifications/schedules/:id/edit" element={<EditSchedulePage />} />
            <Route path="notifications/deliveries" element={<DeliveriesPage />} />
            <Route path="notifications/deliveries/:id" element={<DeliveryPage />} />
          </Routes>
          <Address />
          <ConfirmDialog />
        </MemoryRouter>
      </QueryClientProvider>
    </Theme>,
  );
}

const signedInAs = (role: Person["role"]) =>
  server.use(
    http.get("*/api/v1/session", () =>
      HttpResponse.json({ username: "demo", name: "Demo", role, csrf_token: "mock" } satisfies Person),
    ),
  );

/** Bodies of the requests that save; previews of groups are POST, too. */
function bodies<T>(): T[] {
  const found: T[] = [];
  server.events.on("request:start", ({ request }) => {
    const isPreview = request.url.endsWith("/group-preview");
    if (!isPreview && (request.method === "POST" || request.method === "PUT"))
      void request
        .clone()
        .json()
        .then((body) => found.push(body as T));
  });
  return found;
}

/** Searches of the list, without the first empty one. */
function searches(path: string): URLSearchParams[] {
  const found: URLSearchParams[] = [];
  server.events.on("request:start", ({ request }) => {
    const url = new URL(request.url);
    if (url.pathname === path) found.push(url.searchParams);
  });
  return found;
}

const type = (label: RegExp | string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

it("lists routes in order with what they do", async () => {
  const asked = searches("/api/v1/notification-routes");
  open("/notifications/routes");
  const table = await screen.findByRole("table", { name: "Notification routes" });
  const rows = within(table).getAllByRole("row").slice(1);
  expect(rows.map((row) => within(row).getByRole("link").textContent)).toEqual([
    "critical",
    "hippi-office-hours",
  ]);
  expect(rows[0]?.textContent).toContain("Critical incidents: notify operators; after 15 min");
  expect(rows[1]?.textContent).toContain("Disabled. Incidents of kind “Port down”");
  expect(asked[0]?.get("sort")).toBe("position");
});

it("hides what a viewer may not do, and says who may", async () => {
  signedInAs("viewer");
  server.use(http.get("*/api/v1/notification-routes", () => HttpResponse.json({ items: [], next: null })));
  open("/notifications/routes");
  expect(await screen.findByText(/An operator creates routes/)).toBeDefined();
  expect(screen.queryByRole("link", { name: "New route" })).toBeNull();
});

it("shows a viewer a route without controls", async () => {
  signedInAs("viewer");
  open("/notifications/routes/1");
  expect(await screen.findByText("Notify operators.")).toBeDefined();
  expect(screen.queryByRole("button")).toBeNull();
  expect(screen.queryByRole("link", { name: "Edit" })).toBeNull();
});

it.each(["routes/new", "routes/1/edit", "schedules/new", "schedules/1/edit"])(
  "shows no form at %s to who may not save it",
  async (path) => {
    signedInAs("viewer");
    open(`/notifications/${path}`);
    expect(await screen.findByText("Your role cannot save this.")).toBeDefined();
    expect(screen.queryByRole("textbox")).toBeNull();
  },
);

it("creates a route, says what it does while it is typed, and escalates", async () => {
  const sent = bodies<NotificationRouteIn>();
  open("/notifications/routes/new");
  const text = await screen.findByTestId("route-text");
  expect(text.textContent).toMatch(/^All incidents: notify nobody\./);
  type(/^Name/, "night");
  fireEvent.click(screen.getByLabelText("critical"));
  await screen.findByRole("option", { name: "pager" });
  type(/^Step 1: add/, "channel:2");
  fireEvent.click(screen.getByRole("button", { name: "Add a step" }));
  type(/^Step 2: add/, "schedule:1");
  expect(text.textContent).toMatch(
    /^Critical incidents: notify pager; after 15 min without acknowledgement, the person on call in nights\./,
  );
  fireEvent.click(screen.getByRole("button", { name: "Save route" }));
  await expect.poll(() => sent.length).toBe(1);
  expect(sent[0]).toMatchObject({
    site: "argonne",
    name: "night",
    position: 30,
    matchers: { severities: ["critical"], kinds: [], times: [] },
    steps: [
      { after_s: 0, channels: [2], schedules: [] },
      { after_s: 900, channels: [], schedules: [1] },
    ],
    group_wait_s: 10,
    repeat_s: 14_400,
  });
  await expect.poll(address).toBe("/notifications/routes/3");
});

it("refuses a step that reaches nobody before it asks the server", async () => {
  const sent = bodies();
  open("/notifications/routes/1/edit");
  fireEvent.click(await screen.findByRole("button", { name: /operators/ }));
  fireEvent.click(screen.getByRole("button", { name: "Save route" }));
  expect((await screen.findAllByText("Add a channel or a schedule to each step.")).length).toBeGreaterThan(0);
  expect(sent).toEqual([]);
});

it("edits weekly times in their zone, and shows errors of fields from the server", async () => {
  const sent = bodies<NotificationRouteIn>();
  const message = "There is no time zone 'Mars'.";
  const problem = { code: "refused", message, fields: { "matchers.zone": "expected an IANA time zone" } };
  server.use(http.put("*/api/v1/notification-routes/:id", () => HttpResponse.json(problem, { status: 422 })));
  open("/notifications/routes/2/edit");
  fireEvent.click(await screen.findByLabelText("Fri"));
  type("End of time 1", "07:00");
  expect(screen.getByText("on the next day")).toBeDefined();
  fireEvent.click(screen.getByRole("button", { name: "Save route" }));
  expect(await screen.findByText("expected an IANA time zone")).toBeDefined();
  expect(screen.getByText(message)).toBeDefined();
  expect(sent[0]?.matchers?.times).toEqual([{ weekdays: [0, 1, 2, 3], start: "08:00", end: "07:00" }]);
  expect(screen.getByLabelText("Time zone").getAttribute("aria-invalid")).toBe("true");
});

it("deletes a route after a dialog that says who is not notified any more", async () => {
  open("/notifications/routes/1");
  fireEvent.click(await screen.findByRole("button", { name: "Delete" }));
  const dialog = await screen.findByRole("dialog", { name: "Delete route critical?" });
  expect(dialog.textContent).toContain("are not notified any more");
  fireEvent.click(within(dialog).getByRole("button", { name: "Delete route" }));
  await expect.poll(address).toBe("/notifications/routes");
});

it("lists who is on call and names people without a channel", async () => {
  open("/notifications/schedules");
  const table = await screen.findByRole("table", { name: "On-call schedules" });
  const row = within(table).getByRole("link", { name: "nights" }).closest("tr");
  expect(row?.textContent).toContain("demo");
  expect(row?.textContent).toMatch(/rita, \w{3} \d+ \w{3} \d\d:\d\d/);
  expect(screen.getByTestId("headline").textContent).toBe("Without a channel: rita.");
});

it("takes roles and fabrics whose names have commas, and offers those of the site", async () => {
  const sent = bodies<NotificationRouteIn>();
  open("/notifications/routes/1/edit");
  const add = (label: string, text: string) => {
    const input = screen.getByRole("combobox", { name: label });
    act(() => input.focus());
    fireEvent.change(input, { target: { value: text } });
    fireEvent.keyDown(input, { key: "Enter", code: "Enter" });
  };
  await screen.findByRole("combobox", { name: "Roles" });
  add("Roles", "gateway, spare");
  add("Fabrics", "hippi, east");
  add("Fabrics", "sp-switch");
  add("Labels", "hall=1,2");
  act(() => screen.getByRole("combobox", { name: "Fabrics" }).focus());
  await expect
    .poll(() => screen.getAllByRole("option", { hidden: true }).map(({ textContent }) => textContent))
    .toContain("atm-oc12");
  fireEvent.click(screen.getByRole("button", { name: "Save route" }));
  await expect.poll(() => sent.length).toBe(1);
  expect(sent[0]?.matchers).toMatchObject({
    roles: ["gateway, spare"],
    fabrics: ["hippi, east", "sp-switch"],
    labels: { hall: "1,2" },
  });
});

it("shows the next shifts, the current one marked", async () => {
  open("/notifications/schedules/1");
  const strip = await screen.findByRole("region", { name: "Next shifts, scrollable" });
  expect(strip.children).toHaveLength(8);
  expect([...strip.children].map((shift) => shift.getAttribute("aria-current"))).toEqual([
    "time",
    ...Array(7).fill(null),
  ]);
  expect(strip.children[1]?.textContent).toContain("partly replaced by frank");
  expect(strip.children[1]?.textContent).toContain("no channel");
  expect(screen.getByRole("note").textContent).toMatch(/^rita: no enabled channel/);
});

it("creates a schedule with people in order and an override in its zone", async () => {
  const sent = bodies<ScheduleIn>();
  open("/notifications/schedules/new");
  fireEvent.change(await screen.findByLabelText(/^Name/), { target: { value: "nights" } });
  type("Time zone", "America/Chicago");
  type("Starts on", "2026-11-02");
  const names = () => [...((screen.getByLabelText("User name") as HTMLInputElement).list?.options ?? [])];
  await expect.poll(() => names().map(({ value }) => value)).toContain("ada");
  for (const person of ["demo", "rita"]) {
    type("User name", person);
    fireEvent.click(screen.getByRole("button", { name: "Add person" }));
  }
  fireEvent.click(screen.getByRole("button", { name: "Move rita up" }));
  expect(await screen.findByText("has no enabled channel")).toBeDefined();
  fireEvent.click(screen.getByRole("button", { name: "Add an override" }));
  type("Override 1: person", "frank");
  type("Start", "2026-11-01T00:30");
  type("End (exclusive)", "2026-11-01T09:00");
  fireEvent.click(screen.getByRole("button", { name: "Save schedule" }));
  await expect.poll(() => sent.length).toBe(1);
  expect(sent[0]).toEqual({
    site: "argonne",
    name: "nights",
    people: ["rita", "demo"],
    zone: "America/Chicago",
    starts_on: "2026-11-02",
    handover: "09:00",
    days: 7,
    restrictions: [],
    overrides: [{ person: "frank", start: "2026-11-01T05:30:00.000Z", end: "2026-11-01T15:00:00.000Z" }],
  });
  await expect.poll(address).toBe("/notifications/schedules/2");
});

it("shows a refused person at the people of an edited schedule", async () => {
  const problem = {
    code: "refused",
    message: "rita cannot be notified.",
    fields: { people: "expected a person" },
  };
  server.use(http.put("*/api/v1/schedules/:id", () => HttpResponse.json(problem, { status: 422 })));
  open("/notifications/schedules/1/edit");
  fireEvent.click(await screen.findByRole("button", { name: "Save schedule" }));
  expect(await screen.findByText("expected a person")).toBeDefined();
  expect(screen.getByText("rita cannot be notified.")).toBeDefined();
});

it("lists deliveries with attempts, reason and next attempt, filtered by the API", async () => {
  const asked = searches("/api/v1/deliveries");
  open("/notifications/deliveries?channel=2");
  const table = await screen.findByRole("table", { name: "Deliveries" });
  await screen.findByText("to be retried");
  const rows = within(table).getAllByRole("row").slice(1);
  expect(rows).toHaveLength(2);
  expect(table.textContent).toContain("pager.example.org refused the connection.");
  await screen.findByRole("option", { name: "pager" });
  expect((screen.getByLabelText("Channel") as HTMLSelectElement).value).toBe("2");
  type("Status", "failed");
  await expect.poll(() => asked.at(-1)?.get("status")).toBe("failed");
  expect(asked.at(-1)?.get("channel_id")).toBe("2");
  expect(screen.queryByLabelText("Incident")).toBeNull();
});

it("names the incident that the list is restricted to, so that it can be cleared", async () => {
  const asked = searches("/api/v1/deliveries");
  open("/notifications/deliveries?incident=7");
  expect(((await screen.findByLabelText("Incident")) as HTMLSelectElement).value).toBe("7");
  expect(asked[0]?.get("incident_id")).toBe("7");
});

it("shows a message with its text and links its incidents", async () => {
  open("/notifications/deliveries/3");
  expect((await screen.findByTestId("headline")).textContent).toMatch(
    /^Not delivered to pager \(nights\) yet, next attempt at .*: pager\.example\.org refused/,
  );
  expect(screen.getByText(/3 paths dead/).tagName).toBe("PRE");
  const links = screen.getAllByRole("link", { name: /^Incident #/ });
  expect(links.map((link) => link.getAttribute("href"))).toEqual(["/incidents/1", "/incidents/2"]);
});

it("says what to do when nothing was sent yet", async () => {
  server.use(http.get("*/api/v1/deliveries", () => HttpResponse.json({ items: [], next: null })));
  open("/notifications/deliveries");
  const link = await screen.findByRole("link", { name: "notification route" });
  expect(link.getAttribute("href")).toBe("/notifications/routes");
});
