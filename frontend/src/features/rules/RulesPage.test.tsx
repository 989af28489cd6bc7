import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { MemoryRouter, Route, Routes } from "react-router";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { handlers } from "@/mocks/handlers";
import { overrides } from "@/mocks/rules";
import { Theme } from "@/Theme";
import { RulePage } from "./RulePage";
import { RulesPage } from "./RulesPage";

const server = setupServer(...handlers);
beforeAll(() => server.listen());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

function open(path: string) {
  render(
    <Theme>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter initialEntries={[path]}>
          <Routes>
            <Route path="rules" element={<RulesPage />} />
            <Route path="rules/:kind" element={<RulePage />} />
          </Routes>
        </MemoryRouter>
      </QueryClientProvider>
    </Theme>,
  );
}

/** Bodies of the requests that change something. */
function record(method: "post" | "put", path: string, answer: unknown): unknown[] {
  const bodies: unknown[] = [];
  server.use(
    http[method](path, async ({ request }) => {
      bodies.push(await request.json());
      return HttpResponse.json(answer as object);
    }),
  );
  return bodies;
}

it("lists the rules by group with their state and parameters, and the metric limits", async () => {
  open("/rules");
  const load = await screen.findByRole("table", { name: "Rules: Load" });
  const row = within(load).getByText("Saturation").closest("tr");
  expect(row?.textContent).toContain("raise_at 85 %, clear_at 75 %, samples 3 samples");
  const paths = screen.getByRole("table", { name: "Rules: Paths and gateways" });
  expect(within(paths).getByText("Path dead").closest("tr")?.textContent).toContain("disabled");
  expect(screen.getByTestId("headline").textContent).toBe("1 of 2 rules enabled, 2 overrides.");
  const limits = await screen.findByRole("table", { name: "Metric limits" });
  expect(within(limits).getByText("hot").closest("tr")?.textContent).toContain("above 60 °C");
});

it("saves only what differs from the defaults, and shows the preview of what is in the form", async () => {
  const saved = record("put", "*/api/v1/rules/saturation", {});
  const previewed: unknown[] = [];
  server.use(
    http.post("*/api/v1/rules/saturation/preview", async ({ request }) => {
      previewed.push(await request.json());
      return undefined;
    }),
  );
  open("/rules/saturation");
  const form = await screen.findByRole("form", { name: "Settings" });
  fireEvent.change(within(form).getByLabelText(/^Samples/), { target: { value: "5" } });
  fireEvent.click(within(form).getByRole("button", { name: "Preview 7 days" }));
  expect(await within(form).findByText(/Would have opened 12 incidents in the last 7 days/)).toBeDefined();
  expect(within(form).getByText("2 of 40 objects have no values in this time.")).toBeDefined();
  fireEvent.click(within(form).getByRole("button", { name: "Save" }));
  const parameters = { raise_at: 0.85, samples: 5 };
  await waitFor(() =>
    expect(saved).toEqual([{ site: "argonne", enabled: true, severity: null, parameters }]),
  );
  expect(previewed).toMatchObject([{ scope: "site", parameters }]);
});

it("creates an override of a part with the filled fields only", async () => {
  const saved = record("post", "*/api/v1/rules/saturation/overrides", overrides(0)[0]);
  open("/rules/saturation");
  fireEvent.click(await screen.findByText("New override"));
  const form = await screen.findByRole("form", { name: "New override" });
  fireEvent.click(within(form).getByRole("button", { name: "Save" }));
  expect(await within(form).findByText("Name the part.")).toBeDefined();
  fireEvent.change(within(form).getByLabelText("Applies to"), { target: { value: "port" } });
  fireEvent.change(within(form).getByLabelText("Name"), { target: { value: "grf1:ga030" } });
  fireEvent.change(within(form).getByLabelText(/^Opens at/), { target: { value: "0.7" } });
  fireEvent.click(within(form).getByRole("button", { name: "Save" }));
  await waitFor(() =>
    expect(saved).toEqual([
      {
        site: "argonne",
        scope: "port",
        match: "grf1:ga030",
        enabled: null,
        severity: null,
        parameters: { raise_at: 0.7 },
      },
    ]),
  );
});

it("shows the overrides, who owns them, and what is not evaluated", async () => {
  open("/rules/saturation");
  const table = await screen.findByRole("table", { name: "Overrides" });
  expect(within(table).getByText("role gateway").closest("tr")?.textContent).toContain(
    "critical, raise_at = 0.8",
  );
  expect(within(table).getByText("fabric sp-switch").closest("tr")?.textContent).toContain(
    "edit the site file",
  );
  expect(await screen.findByText("neither end reports its rates")).toBeDefined();
});

it("shows the fields that the server refuses", async () => {
  server.use(
    http.put("*/api/v1/rules/saturation", () =>
      HttpResponse.json(
        {
          code: "refused",
          message: "The settings are not acceptable.",
          fields: { "parameters.raise_at": "a number from 0 to 1 share" },
        },
        { status: 422 },
      ),
    ),
  );
  open("/rules/saturation");
  const form = await screen.findByRole("form", { name: "Settings" });
  fireEvent.change(within(form).getByLabelText(/^Opens at/), { target: { value: "7" } });
  fireEvent.click(within(form).getByRole("button", { name: "Save" }));
  expect(await within(form).findByText("a number from 0 to 1 share")).toBeDefined();
});
