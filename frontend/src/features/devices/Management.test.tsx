import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Node } from "@/api/types";
import { handlers } from "@/mocks/handlers";
import { ConfirmDialog } from "@/ui/confirm";
import { Theme } from "@/Theme";
import { Management } from "./Management";

const server = setupServer(...handlers);
beforeAll(() => server.listen());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const TEXT = "sp08 was released on the node at 2026-11-22 14:03 UTC by root: sp-default.";
const RELEASED: NonNullable<Node["management"]> = {
  state: "released",
  scope: "policies",
  policies: ["sp-default"],
  since: "2026-11-22T14:03:00Z",
  by: "root",
  text: TEXT,
  cleared_by: "",
};

function open(management: Node["management"]) {
  const node = { id: 8, name: "sp08", management } as Node;
  render(
    <Theme>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <Management node={node} />
        <ConfirmDialog />
      </QueryClientProvider>
    </Theme>,
  );
}

it("is hidden for a node that was not released", () => {
  open(null);
  expect(screen.queryByText("Management")).toBeNull();
});

it("shows a release and clears it after a dialog", async () => {
  const cleared: string[] = [];
  server.use(
    http.post("*/api/v1/nodes/:id/manage-again", ({ params }) => {
      cleared.push(String(params.id));
      return HttpResponse.json({});
    }),
  );
  open(RELEASED);
  expect(screen.getByText(TEXT, { exact: false })).toBeDefined();
  fireEvent.click(await screen.findByRole("button", { name: "Manage again" }));
  const dialog = await screen.findByRole("dialog", { name: "Manage sp08 again?" });
  expect(dialog.textContent).toContain("Nothing is installed");
  fireEvent.click(within(dialog).getByRole("button", { name: "Manage again" }));
  await expect.poll(() => cleared).toEqual(["8"]);
});

it("names who cleared it until the node has reported", () => {
  open({ ...RELEASED, cleared_by: "ann" });
  expect(screen.getByText("Cleared by ann; the node has not reported it yet.")).toBeDefined();
  expect(screen.queryByRole("button", { name: "Manage again" })).toBeNull();
});
