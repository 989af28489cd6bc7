import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { MemoryRouter, Route, Routes } from "react-router";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { ChangePage } from "./ChangePage";
import type { ChangeDetail, Plan } from "@/api/types";
import { ConfirmBars } from "@/features/shell/ConfirmBar";
import { act as play, change, forget } from "@/mocks/changes";
import { handlers } from "@/mocks/handlers";
import { Theme } from "@/Theme";

const server = setupServer(...handlers);
beforeAll(() => server.listen());
beforeEach(forget);
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const whatIf = vi.fn((_site: string, { failure }: { failure: string }, after: boolean) => (
  <p>{`${failure} ${after ? "after" : "now"}`}</p>
));

function open(path = "/changes/42") {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <Theme>
      <QueryClientProvider client={queries}>
        <MemoryRouter initialEntries={[path]}>
          <ConfirmBars />
          <Routes>
            <Route path="changes/:id" element={<ChangePage whatIf={whatIf} />} />
          </Routes>
        </MemoryRouter>
      </QueryClientProvider>
    </Theme>,
  );
}

it("requires every warning to be accepted before approval, and sends the digest", async () => {
  open();
  const approve = await screen.findByRole("button", { name: /^Approve plan 9f3c/ });
  expect(approve.hasAttribute("disabled")).toBe(true);
  fireEvent.click(screen.getByRole("checkbox", { name: /fallback load/ }));
  expect(approve.hasAttribute("disabled")).toBe(false);
  const sent = new Promise<unknown>((resolve) => {
    server.events.on("request:start", ({ request }) => {
      if (request.url.endsWith("/approve")) void request.clone().json().then(resolve);
    });
  });
  fireEvent.click(approve);
  expect(await sent).toMatchObject({ digest: expect.stringMatching(/^9f3c/), accept_warnings: true });
  expect(await screen.findByRole("button", { name: /^Apply to 8 nodes/ })).toBeDefined();
});

it("lists the nodes of a large change in pages, and loads its whole plan on request", async () => {
  const small = change(Date.now(), 41) as ChangeDetail;
  const plan = { ...(small.plan as Plan), is_whole: false, shapes: [], impacts: [] };
  const progress = [{ wave: 0, nodes: 9000, states: { confirmed: 8999, rolled_back: 1 } }];
  const asked: string[] = [];
  server.use(
    http.get("*/api/v1/changes/:id", () =>
      HttpResponse.json({ ...small, nodes: 9000, has_all_members: false, progress, plan }),
    ),
    http.get("*/api/v1/changes/:id/plan", () => HttpResponse.json(small.plan)),
    http.get("*/api/v1/changes/:id/nodes", ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json({ items: [{ ...small.members[0], node: "h08999" }], next: null });
    }),
  );
  open("/changes/41");
  expect(await screen.findByText("h08999")).toBeDefined();
  expect(within(screen.getByTestId("outcome")).getByText(/^8.999 nodes$/)).toBeDefined();
  fireEvent.change(screen.getByLabelText("State"), { target: { value: "rolled_back" } });
  await waitFor(() => expect(asked.at(-1)).toContain("state=rolled_back"));
  expect(screen.queryByText("/etc/bird/bird.conf, diff")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Load the whole plan" }));
  expect(await screen.findByText("/etc/bird/bird.conf, diff")).toBeDefined();
});

it("draws the selected failure, after and now", async () => {
  open();
  fireEvent.click(await screen.findByRole("button", { name: "grf1" }));
  expect(whatIf).toHaveBeenLastCalledWith("argonne", expect.objectContaining({ kind: "node", id: 10 }), true);
  fireEvent.click(screen.getByLabelText("now"));
  await waitFor(() =>
    expect(whatIf).toHaveBeenLastCalledWith("argonne", expect.objectContaining({ id: 10 }), false),
  );
});

it("shows the countdown beside any page and confirms the wave that was seen", async () => {
  for (const verb of ["approve", "apply"]) play(Date.now(), 42, verb, { timeout_s: 120 });
  open("/changes/41");
  const bar = await screen.findByTestId("confirm-bar");
  expect(within(bar).getByRole("timer").textContent).toMatch(/^0[12]:\d\d$/);
  expect(within(bar).getByTestId("confirm-spoken").textContent).toContain("Change #42 awaits confirmation");
  const sent = new Promise<unknown>((resolve) => {
    server.events.on("request:start", ({ request }) => {
      if (request.url.endsWith("/confirm")) void request.clone().json().then(resolve);
    });
  });
  fireEvent.click(within(bar).getByRole("button", { name: "Confirm" }));
  expect(await sent).toEqual({ wave: 0 });
  expect(await within(bar).findByText(/wave 2 of 3/)).toBeDefined();
});

it("shows what a rollback restored, by whom, and the evidence", async () => {
  open("/changes/41");
  const outcome = await screen.findByTestId("outcome");
  expect(outcome.textContent).toContain("restored by its guard on timeout");
  expect(outcome.textContent).toContain("Verified: 2 of 2 as before");
  expect((await within(outcome).findByRole("list", { name: "Probed" })).textContent).toContain(
    "failed: grf1 at 10.1.0.145 of 5 lost",
  );
  expect(within(outcome).getByRole("list", { name: "Restored and verified" }).textContent).toContain(
    "sha256 1f3a…, as before",
  );
  expect(outcome.textContent).toContain("7 nodes were not changed");
});

it("plans the inverse of a confirmed change with a reason, and opens it", async () => {
  open("/changes/40");
  const reason = await screen.findByLabelText("Reason for undo");
  fireEvent.change(reason, { target: { value: "wrong gateway" } });
  const sent = new Promise<unknown>((resolve) => {
    server.events.on("request:start", ({ request }) => {
      if (request.url.endsWith("/changes/40/undo")) void request.clone().json().then(resolve);
    });
  });
  fireEvent.click(screen.getByRole("button", { name: "Undo this change" }));
  expect(await sent).toEqual({ reason: "wrong gateway" });
  expect(await screen.findByRole("heading", { name: /Undo change #40/ })).toBeDefined();
});

it("names the reason when a confirmed change cannot be undone, and nothing else", async () => {
  const done = change(Date.now(), 40);
  const refused = {
    ...done,
    may: [],
    may_not: { undo: "Change #41 changed sp01 later: undo change #41 first.", plan: "The change is done." },
  };
  server.use(http.get("*/api/v1/changes/40", () => HttpResponse.json(refused)));
  open("/changes/40");
  const reasons = await screen.findByRole("list", { name: "Unavailable actions" });
  expect(reasons.textContent).toBe("Undo this change: Change #41 changed sp01 later: undo change #41 first.");
  expect(screen.queryByRole("button", { name: "Undo this change" })).toBeNull();
});
