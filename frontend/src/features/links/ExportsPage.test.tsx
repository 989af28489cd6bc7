import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, within } from "@testing-library/react";
import { http, HttpResponse } from "msw/http";
import { setupServer } from "msw/node";
import { MemoryRouter } from "react-router";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { handlers } from "@/mocks/handlers";
import { ConfirmDialog } from "@/ui/confirm";
import { Theme } from "@/Theme";
import { ExportButton } from "./ExportButton";
import { exportBody, exportsHeadline, toneOf, type Selection } from "./exports";
import { ExportsPage } from "./ExportsPage";
import { selectionOf } from "./LinksPage";

const server = setupServer(...handlers);
beforeAll(() => server.listen());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

function show(page: React.ReactNode, path = "/") {
  render(
    <Theme>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter initialEntries={[path]}>
          {page}
          <ConfirmDialog />
        </MemoryRouter>
      </QueryClientProvider>
    </Theme>,
  );
}

/** The bodies of the requests that create exports. */
function bodies(): unknown[] {
  const found: unknown[] = [];
  server.events.on("request:start", ({ request }) => {
    if (request.method === "POST")
      void request
        .clone()
        .json()
        .then((body) => found.push(body));
  });
  return found;
}

async function open(selection: Selection, path?: string) {
  show(<ExportButton selection={selection} />, path);
  const button = await screen.findByRole("button", { name: "Export" });
  await expect.poll(() => button.hasAttribute("disabled")).toBe(false);
  fireEvent.click(button);
  return within(await screen.findByRole("dialog"));
}

it("exports the link over the range of the page and refers to the list", async () => {
  const sent = bodies();
  const dialog = await open({ links: [7], text: "grf1:ga030-ps32:1" }, "/links/7?from=now-7d&to=now");
  expect(dialog.getByText("grf1:ga030-ps32:1")).toBeDefined();
  fireEvent.change(dialog.getByLabelText("Format"), { target: { value: "parquet" } });
  fireEvent.change(dialog.getByLabelText("Level"), { target: { value: "1h" } });
  fireEvent.click(dialog.getByRole("button", { name: "Start export" }));
  const link = await dialog.findByRole("link", { name: "Show exports" });
  expect(link.getAttribute("href")).toBe("/exports");
  expect(sent).toEqual([
    expect.objectContaining({ links: [7], format: "parquet", level: "1h", start: "now-7d", end: "now" }),
  ]);
});

it("shows a refusal at its field and keeps the dialog open", async () => {
  const problem = { code: "invalid", message: "start is not a time.", fields: { start: "expected now" } };
  server.use(http.post("*/api/v1/exports", () => HttpResponse.json(problem, { status: 400 })));
  const dialog = await open(selectionOf(""));
  fireEvent.change(dialog.getByLabelText("Start"), { target: { value: "yesterday" } });
  fireEvent.click(dialog.getByRole("button", { name: "Start export" }));
  expect((await dialog.findByRole("alert")).textContent).toBe("start is not a time.");
  expect(dialog.getByText("expected now")).toBeDefined();
});

it("lists progress, files, gaps and failures", async () => {
  show(<ExportsPage />);
  expect(await screen.findByText("running, 42 %, 1 MiB")).toBeDefined();
  expect(screen.getByTestId("headline").textContent).toBe("4 exports, 1 in progress, 1 failed.");
  const links = screen.getAllByRole("link", { name: /^Download/ });
  expect(links.map((link) => link.getAttribute("href"))).toEqual([
    "/api/v1/exports/3/download",
    "/api/v1/exports/1/download",
  ]);
  expect(screen.getByText("Complete, with 1 gap.").getAttribute("title")).toContain(
    "part-0.parquet is missing",
  );
  expect(screen.getAllByRole("button", { name: /^Delete/ })).toHaveLength(2);
});

it("cancels an export after confirmation", async () => {
  const removed: string[] = [];
  server.use(
    http.delete("*/api/v1/exports/:id", ({ params }) => {
      removed.push(String(params.id));
      return new HttpResponse(null, { status: 204 });
    }),
  );
  show(<ExportsPage />);
  fireEvent.click(await screen.findByRole("button", { name: /^Cancel/ }));
  fireEvent.click(await screen.findByRole("button", { name: "Cancel export" }));
  await expect.poll(() => removed).toEqual(["4"]);
});

it("selects the links of the filtered fabric, or the site", () => {
  const form = { format: "csv", level: "auto", start: "now-1d", end: "now" } as const;
  expect(exportBody("lab", selectionOf("hippi"), form)).toEqual({
    site: "lab",
    ...form,
    links: [],
    ports: [],
    fabric: "hippi",
  });
  expect(exportBody("lab", selectionOf(""), form)).not.toHaveProperty("fabric");
});

it("warns of a complete export with gaps", () => {
  expect(toneOf({ state: "done", gap_count: 1 })).toBe("warning");
  expect(toneOf({ state: "done", gap_count: 0 })).toBe("ok");
  expect(toneOf({ state: "failed", gap_count: 0 })).toBe("critical");
  expect(exportsHeadline([])).toBe("0 exports, 0 in progress, 0 failed.");
});
