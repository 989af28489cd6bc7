import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, within } from "@testing-library/react";
import { http, HttpResponse } from "msw/http";
import { setupServer } from "msw/node";
import { MemoryRouter, Route, Routes, useLocation } from "react-router";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Person } from "@/api/types";
import { handlers } from "@/mocks/handlers";
import { ConfirmDialog } from "@/ui/confirm";
import { Theme } from "@/Theme";
import { EditChannelPage, NewChannelPage } from "./ChannelForm";
import { ChannelPage } from "./ChannelPage";
import { ChannelsPage } from "./ChannelsPage";

const server = setupServer(...handlers);
beforeAll(() => server.listen());
afterEach(() => {
  server.resetHandlers();
  server.events.removeAllListeners();
});
afterAll(() => server.close());

const Address = () => <p data-testid="address">{useLocation().pathname}</p>;

function open(path: string) {
  render(
    <Theme>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter initialEntries={[path]}>
          <Routes>
            <Route path="notifications/channels" element={<ChannelsPage />} />
            <Route path="notifications/channels/new" element={<NewChannelPage />} />
            <Route path="notifications/channels/:id" element={<ChannelPage />} />
            <Route path="notifications/channels/:id/edit" element={<EditChannelPage />} />
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

/** Method, path and body of the writing requests. */
function writes(): [string, string, unknown][] {
  const found: [string, string, unknown][] = [];
  server.events.on("request:start", ({ request }) => {
    if (request.method === "GET") return;
    void request
      .clone()
      .text()
      .then((text) =>
        found.push([request.method, new URL(request.url).pathname, text === "" ? null : JSON.parse(text)]),
      );
  });
  return found;
}

it("lists state, reason, kind, person, newest success and what waits", async () => {
  open("/notifications/channels");
  const table = await screen.findByRole("table", { name: "Channels" });
  const row = within(table).getByRole("link", { name: "pager" }).closest("tr");
  expect(row?.textContent).toContain("failing");
  expect(row?.textContent).toContain("pager.example.org refused the connection.");
  expect(row?.textContent).toMatch(/Webhookdemo30 min( \d+ s)? ago2$/);
  expect(screen.getByTestId("headline").textContent).toBe("pager cannot deliver.");
  expect(screen.getByRole("link", { name: "New channel" })).toBeDefined();
});

it("offers no channel to write to who may not, and says who may", async () => {
  signedInAs("operator");
  server.use(http.get("*/api/v1/channels", () => HttpResponse.json({ items: [], next: null })));
  open("/notifications/channels");
  expect(await screen.findByText(/An administrator creates channels/)).toBeDefined();
  expect(screen.queryByRole("link", { name: "New channel" })).toBeNull();
});

it("lets an operator test a channel, not change it", async () => {
  signedInAs("operator");
  open("/notifications/channels/1");
  expect(await screen.findByRole("button", { name: /^Send a test/ })).toBeDefined();
  expect(screen.queryByRole("button", { name: "Disable" })).toBeNull();
  expect(screen.queryByRole("link", { name: "Edit" })).toBeNull();
});

it.each(["new", "1/edit"])("shows no form at %s to an operator", async (path) => {
  signedInAs("operator");
  open(`/notifications/channels/${path}`);
  expect(await screen.findByText("Your role cannot save this.")).toBeDefined();
  expect(screen.getByText("An administrator of the site can.")).toBeDefined();
  expect(screen.queryByRole("textbox")).toBeNull();
});

it("shows a viewer the state only", async () => {
  signedInAs("viewer");
  open("/notifications/channels/1");
  expect(await screen.findByText("stored")).toBeDefined();
  expect(screen.queryByRole("button")).toBeNull();
});

it("shows the result of a test with its reason and message", async () => {
  open("/notifications/channels/2");
  fireEvent.click(await screen.findByRole("button", { name: /^Send a test/ }));
  expect(
    await screen.findByText("Not delivered after 12 ms: pager.example.org refused the connection."),
  ).toBeDefined();
  const link = screen.getByRole("link", { name: "Show the message" });
  expect(link.getAttribute("href")).toBe("/notifications/deliveries/2");
});

it("shows why a test could not be sent", async () => {
  const problem = { code: "unavailable", message: "PostgreSQL does not answer.", fields: {} };
  server.use(http.post("*/api/v1/channels/:id/test", () => HttpResponse.json(problem, { status: 503 })));
  open("/notifications/channels/1");
  fireEvent.click(await screen.findByRole("button", { name: /^Send a test/ }));
  expect((await screen.findByRole("alert")).textContent).toBe("PostgreSQL does not answer.");
});

it("disables a channel and keeps its settings and secrets", async () => {
  const sent = writes();
  open("/notifications/channels/1");
  fireEvent.click(await screen.findByRole("button", { name: "Disable" }));
  await expect.poll(() => sent.length).toBe(1);
  const [method, path, body] = sent[0] ?? [];
  expect([method, path]).toEqual(["PUT", "/api/v1/channels/1"]);
  expect(body).toMatchObject({ name: "operators", enabled: false, config: { host: "mail.example.org" } });
  expect(body).not.toHaveProperty("config.password");
});

it("deletes a channel after a dialog", async () => {
  const sent = writes();
  open("/notifications/channels/3");
  fireEvent.click(await screen.findByRole("button", { name: "Delete" }));
  fireEvent.click(await screen.findByRole("button", { name: "Delete channel" }));
  await expect.poll(() => screen.getByTestId("address").textContent).toBe("/notifications/channels");
  expect(sent).toEqual([["DELETE", "/api/v1/channels/3", null]]);
});

it("creates a channel with the fields of its kind", async () => {
  const sent = writes();
  open("/notifications/channels/new");
  fireEvent.change(await screen.findByLabelText("Kind"), { target: { value: "telegram" } });
  expect(screen.queryByLabelText(/^Host/)).toBeNull();
  fireEvent.change(screen.getByLabelText(/^Name/), { target: { value: "chat" } });
  fireEvent.change(screen.getByLabelText(/^Chat/), { target: { value: "@network" } });
  fireEvent.click(screen.getByRole("button", { name: "Save channel" }));
  expect(await screen.findByText("Enter a value.")).toBeDefined();
  expect(sent).toEqual([]);
  const token = screen.getByLabelText(/^Token/);
  expect(token.getAttribute("type")).toBe("password");
  fireEvent.change(token, { target: { value: "1:secret" } });
  fireEvent.click(screen.getByRole("button", { name: "Save channel" }));
  await expect.poll(() => screen.getByTestId("address").textContent).toBe("/notifications/channels/4");
  expect(sent[0]?.[2]).toEqual({
    site: "argonne",
    name: "chat",
    kind: "telegram",
    person: "",
    enabled: true,
    config: { token: "1:secret", chat: "@network" },
  });
});

it("keeps a stored secret that is left empty", async () => {
  const sent = writes();
  open("/notifications/channels/1/edit");
  const password = await screen.findByLabelText(/^Password/);
  expect([password.getAttribute("placeholder"), (password as HTMLInputElement).value]).toEqual([
    "stored",
    "",
  ]);
  fireEvent.click(screen.getByRole("button", { name: "Save channel" }));
  await expect.poll(() => sent.length).toBe(1);
  expect(sent[0]?.[2]).not.toHaveProperty("config.password");
});

it("removes a stored secret on request", async () => {
  const sent = writes();
  open("/notifications/channels/1/edit");
  fireEvent.click(await screen.findByLabelText("Remove the stored password"));
  fireEvent.click(screen.getByRole("button", { name: "Save channel" }));
  await expect.poll(() => sent.length).toBe(1);
  expect(sent[0]?.[2]).toHaveProperty("config.password", "");
});

it("shows a refusal of the server at its field", async () => {
  const problem = {
    code: "refused",
    message: "The settings of the Mail channel are not valid.",
    fields: { "config.recipients.1": "expected a mail address", person: "expected a person" },
  };
  server.use(http.put("*/api/v1/channels/:id", () => HttpResponse.json(problem, { status: 422 })));
  open("/notifications/channels/1/edit");
  fireEvent.click(await screen.findByRole("button", { name: "Save channel" }));
  expect((await screen.findByRole("alert")).textContent).toBe(problem.message);
  expect(screen.getByLabelText(/^Recipients/).getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByText("expected a mail address")).toBeDefined();
  expect(screen.getByText("expected a person")).toBeDefined();
});
