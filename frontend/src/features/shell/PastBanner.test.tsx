import { MantineProvider } from "@mantine/core";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, expect, it } from "vitest";
import { PastBanner } from "./Banners";
import { zoneChoice } from "@/util/timeZone";

beforeEach(() => zoneChoice.set("utc"));
afterEach(cleanup);

function show(url: string) {
  const router = createMemoryRouter([{ path: "*", element: <PastBanner /> }], { initialEntries: [url] });
  render(
    <MantineProvider>
      <RouterProvider router={router} />
    </MantineProvider>,
  );
  return router;
}

const PAST = "from=2026-05-01T10:00:00Z&to=2026-05-01T11:00:00Z";

it.each(["/", "/map", "/devices", "/links", "/paths"])(
  "names the moment at %s, and returns to now",
  (path) => {
    const router = show(`${path}?${PAST}&site=argonne`);
    expect(screen.getByTestId("past-banner").textContent).toContain("State at 2026-05-01 11:00 UTC.");
    fireEvent.click(screen.getByRole("button", { name: "Back to now" }));
    expect(router.state.location.search).toBe("?site=argonne");
    expect(screen.queryByTestId("past-banner")).toBeNull();
  },
);

it("says plainly that other pages show the present", () => {
  show(`/policies?${PAST}`);
  expect(screen.getByTestId("past-banner").textContent).toContain("This page shows the present.");
});

it.each(["/map", "/map?from=now-6h", "/incidents?from=now-1h&to=now-10s"])("is absent at %s", (url) => {
  show(url);
  expect(screen.queryByTestId("past-banner")).toBeNull();
});
