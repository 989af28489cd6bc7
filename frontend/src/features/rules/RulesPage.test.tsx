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
  expect(row?.textContent).toContain("Opens at 85 %, Resolves below 75 %, Samples 3");
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
  fireEvent.change(within(form).getByLabelText("Opens at (%)"), { target: { value: "70" } });
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
    "critical, Opens at 80 %",
  );
  expect(within(table).getByText("fabric sp-switch").closest("tr")?.textContent).toContain(
    "edit the site file",
  );
  expect(await screen.findByText("neither end reports its rates")).toBeDefined();
});

it("shows the fields that the server refuses", async () => {
  server.use(
    http.post("*/api/v1/rules/saturation/overrides", () =>
      HttpResponse.json(
        {
          code: "refused",
          message: "The settings are not acceptable.",
          fields: { match: "the role of nodes of this site" },
        },
        { status: 422 },
      ),
    ),
  );
  open("/rules/saturation");
  fireEvent.click(await screen.findByText("New override"));
  const form = await screen.findByRole("form", { name: "New override" });
  fireEvent.change(within(form).getByLabelText("Name"), { target: { value: "nobody" } });
  fireEvent.change(within(form).getByLabelText("Enabled"), { target: { value: "false" } });
  fireEvent.click(within(form).getByRole("button", { name: "Save" }));
  expect(await within(form).findByText("the role of nodes of this site")).toBeDefined();
});

it("refuses values out of bounds in the units of the form, before the server does", async () => {
  const saved = record("put", "*/api/v1/rules/saturation", {});
  open("/rules/saturation");
  const form = await screen.findByRole("form", { name: "Settings" });
  await within(form).findByRole("button", { name: "Save" });
  const enter = (label: RegExp, value: string) => {
    fireEvent.change(within(form).getByLabelText(label), { target: { value } });
    fireEvent.click(within(form).getByRole("button", { name: "Save" }));
  };
  enter(/^Opens at/, "700");
  expect(await within(form).findByText("A number from 0 to 100 %.")).toBeDefined();
  enter(/^Opens at/, "60");
  expect(await within(form).findByText("At most “Opens at”, 60 %.")).toBeDefined();
  enter(/^Resolves below/, "50");
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(saved).toMatchObject([{ parameters: { raise_at: 0.6, clear_at: 0.5 } }]);
});

it("edits an override in place and keeps what was not changed", async () => {
  const saved = record("post", "*/api/v1/rules/saturation/overrides", overrides(0)[0]);
  open("/rules/saturation");
  fireEvent.click(await screen.findByRole("button", { name: "Edit the override for role gateway" }));
  const form = await screen.findByRole("form", { name: "Override for role gateway" });
  expect(document.activeElement).toBe(within(form).getByLabelText("Enabled"));
  expect(within(form).getByLabelText<HTMLInputElement>("Opens at (%)").value).toBe("80");
  expect(within(form).queryByLabelText("Applies to")).toBeNull();
  fireEvent.change(within(form).getByLabelText("Samples"), { target: { value: "5" } });
  fireEvent.click(within(form).getByRole("button", { name: "Save" }));
  await waitFor(() =>
    expect(saved).toEqual([
      {
        site: "argonne",
        scope: "role",
        match: "gateway",
        enabled: null,
        severity: "critical",
        parameters: { raise_at: 0.8, samples: 5 },
      },
    ]),
  );
  await waitFor(() => expect(screen.queryByRole("form", { name: "Override for role gateway" })).toBeNull());
});

it("says whose an override is that a link names, and when it is gone", async () => {
  open("/rules/saturation?override=fabric+sp-switch");
  expect(
    await screen.findByText(/The site file owns the override for fabric sp-switch: edit the file/),
  ).toBeDefined();
  open("/rules/saturation?override=role+old");
  expect(await screen.findByText("There is no override for role old any more.")).toBeDefined();
});

it("edits a metric limit in place, with its labels", async () => {
  const saved = record("put", "*/api/v1/metric-limits/8", {});
  open("/rules");
  fireEvent.click(await screen.findByRole("button", { name: "Edit the limit hot" }));
  const form = await screen.findByRole("form", { name: "Limit hot" });
  fireEvent.change(within(form).getByLabelText("Limit (°C)"), { target: { value: "65.5" } });
  fireEvent.click(within(form).getByRole("checkbox", { name: "Enabled" }));
  fireEvent.click(within(form).getByRole("button", { name: "Save" }));
  await waitFor(() =>
    expect(saved).toMatchObject([
      { name: "hot", raise_at: 65.5, clear_at: 55, labels: { rack: "a1" }, subject: "temp*", enabled: false },
    ]),
  );
});

it("lets viewers preview, but not change", async () => {
  server.use(
    http.get("*/api/v1/session", () =>
      HttpResponse.json({ username: "eve", name: "Eve", role: "viewer", csrf_token: "mock" }),
    ),
  );
  open("/rules/saturation");
  const form = await screen.findByRole("form", { name: "Settings" });
  await screen.findByText("role gateway");
  expect(within(form).getByRole("button", { name: "Preview 7 days" })).toBeDefined();
  expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
  expect(screen.queryByRole("button", { name: /^Edit/ })).toBeNull();
  expect(screen.queryByText("New override")).toBeNull();
});
