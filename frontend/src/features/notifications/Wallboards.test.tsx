import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, within } from "@testing-library/react";
import { http, HttpResponse } from "msw/http";
import { setupServer } from "msw/node";
import { MemoryRouter, Route, Routes } from "react-router";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import type { Person } from "@/api/types";
import { handlers } from "@/mocks/handlers";
import { wallboards } from "@/mocks/wallboards";
import { ConfirmDialog } from "@/ui/confirm";
import { Theme } from "@/Theme";
import { EditWallboardPage, NewWallboardPage, wallboardOfDraft } from "./WallboardForm";
import { WallboardsPage } from "./WallboardsPage";

const server = setupServer(...handlers);
beforeAll(() => server.listen());
afterEach(() => {
  server.resetHandlers();
  server.events.removeAllListeners();
});
afterAll(() => server.close());

const signedInAs = (role: Person["role"]) =>
  server.use(
    http.get("*/api/v1/session", () =>
      HttpResponse.json({ username: "demo", name: "Demo", role, csrf_token: "mock" } satisfies Person),
    ),
  );

/** Method and path of the writing requests. */
function writes(): string[] {
  const found: string[] = [];
  server.events.on("request:start", ({ request }) => {
    if (request.method !== "GET") found.push(`${request.method} ${new URL(request.url).pathname}`);
  });
  return found;
}

function open(path: string) {
  render(
    <Theme>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter initialEntries={[path]}>
          <Routes>
            <Route path="notifications/wallboards" element={<WallboardsPage />} />
            <Route path="notifications/wallboards/new" element={<NewWallboardPage />} />
            <Route path="notifications/wallboards/:id/edit" element={<EditWallboardPage />} />
          </Routes>
          <ConfirmDialog />
        </MemoryRouter>
      </QueryClientProvider>
    </Theme>,
  );
}

it("lists wallboards with their last use; a viewer changes nothing", async () => {
  signedInAs("viewer");
  open("/notifications/wallboards");
  const row = (await screen.findByText("control room")).closest("tr");
  expect(row?.textContent).toContain("Overview, Incidents, Map");
  expect(row?.textContent).toContain("active");
  expect(screen.queryByRole("button", { name: "Revoke" })).toBeNull();
  expect(screen.queryByRole("link", { name: "New wallboard" })).toBeNull();
});

it("revokes after a confirmation, and a revoked one has no actions", async () => {
  signedInAs("operator");
  const made = writes();
  open("/notifications/wallboards");
  const row = (await screen.findByText("control room")).closest("tr");
  const revoked = screen.getByText("hall").closest("tr");
  expect(within(revoked ?? document.body).queryAllByRole("button")).toEqual([]);
  fireEvent.click(await within(row ?? document.body).findByRole("button", { name: "Revoke" }));
  expect(made).toEqual([]);
  fireEvent.click(await screen.findByRole("button", { name: "Revoke wallboard" }));
  await vi.waitFor(() => expect(made).toEqual(["POST /api/v1/wallboards/1/revoke"]));
});

it("shows the link of a new wallboard once, with a button that copies it", async () => {
  signedInAs("operator");
  const copied: string[] = [];
  vi.stubGlobal("navigator", {
    clipboard: {
      writeText: (text: string) => {
        copied.push(text);
        return Promise.resolve();
      },
    },
  });
  open("/notifications/wallboards/new");
  fireEvent.change(await screen.findByLabelText("Name"), { target: { value: "lobby" } });
  fireEvent.click(screen.getByRole("button", { name: "Create wallboard" }));
  const link = await screen.findByTestId("wallboard-link");
  expect(link.textContent).toMatch(/\/wall#bsw_mock/);
  fireEvent.click(screen.getByRole("button", { name: "Copy" }));
  expect(copied).toEqual([link.textContent]);
  vi.unstubAllGlobals();
});

it("a draft needs a name, a page and 5 to 600 seconds", async () => {
  signedInAs("operator");
  const made = writes();
  open("/notifications/wallboards/new");
  fireEvent.change(await screen.findByLabelText("Seconds per page"), { target: { value: "4" } });
  fireEvent.click(screen.getByLabelText("Map"));
  fireEvent.click(screen.getByRole("button", { name: "Create wallboard" }));
  expect(await screen.findByText("Say where the screen is.")).toBeTruthy();
  expect(screen.getByText("5 to 600 s")).toBeTruthy();
  expect(made).toEqual([]);
});

it("an edited wallboard keeps what is not changed, and returns to the list", async () => {
  signedInAs("operator");
  const bodies: unknown[] = [];
  server.events.on("request:start", ({ request }) => {
    if (request.method === "PUT")
      void request
        .clone()
        .json()
        .then((body: unknown) => bodies.push(body));
  });
  open("/notifications/wallboards/1/edit");
  fireEvent.change(await screen.findByLabelText("Name"), { target: { value: "night desk" } });
  fireEvent.click(screen.getByRole("button", { name: "Save wallboard" }));
  expect(await screen.findByRole("link", { name: "New wallboard" })).toBeTruthy();
  const { name, pages, seconds, theme, text_size, expires_at, site } = wallboards(0)[0] ?? {};
  expect(name).not.toBe("night desk");
  expect(bodies).toEqual([{ site, name: "night desk", pages, seconds, theme, text_size, expires_at }]);
});

it("a draft becomes the body of the API, pages in their order", () => {
  const body = wallboardOfDraft(
    "argonne",
    {
      name: " hall ",
      pages: ["map", "overview"],
      seconds: "30",
      theme: "light",
      text_size: "large",
      expires: "1",
    },
    Date.parse("2026-05-01T12:00:00Z"),
  );
  expect(body).toEqual({
    site: "argonne",
    name: "hall",
    pages: ["overview", "map"],
    seconds: 30,
    theme: "light",
    text_size: "large",
    expires_at: "2026-05-02T12:00:00.000Z",
  });
});
