import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, within } from "@testing-library/react";
import { setupServer } from "msw/node";
import { MemoryRouter, Route, Routes } from "react-router";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { handlers } from "@/mocks/handlers";
import * as matrix from "./matrix";
import { ConfirmDialog } from "@/ui/confirm";
import { Theme } from "@/Theme";
import { RunPage } from "./RunPage";

// jsdom has no canvas.
vi.mock("uplot", () => ({
  default: class {
    setSize(): void {}
    destroy(): void {}
  },
}));

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
            <Route path="tests/runs/:id" element={<RunPage />} />
          </Routes>
          <ConfirmDialog />
        </MemoryRouter>
      </QueryClientProvider>
    </Theme>,
  );
}

it("opens a cell from the matrix by arrow keys, with the node reports", async () => {
  open("/tests/runs/17");
  const table = await screen.findByRole("grid", { name: "Matrix of #17" });
  const [first] = table.querySelectorAll<HTMLElement>("[data-cell]");
  first?.focus();
  fireEvent.keyDown(document.activeElement as Element, { key: "ArrowRight" });
  expect(document.activeElement?.getAttribute("aria-label")).toContain("16 KiB 2");
  fireEvent.keyDown(document.activeElement as Element, { key: "Enter" });
  const cell = await screen.findByTestId("cell");
  expect(cell.textContent).toContain("2 streams, buffer 16 KiB");
  expect(await screen.findByText(/iperf3 -c/)).toBeDefined();
});

it("lays the matrix out once, and a selection changes only two cells", async () => {
  const laid = vi.spyOn(matrix, "matrixOf");
  open("/tests/runs/17");
  const table = await screen.findByRole("grid", { name: "Matrix of #17" });
  const [first, , third] = table.querySelectorAll<HTMLElement>("[data-cell]");
  const changes: MutationRecord[] = [];
  const observer = new MutationObserver((found) => changes.push(...found));
  observer.observe(table, { subtree: true, attributes: true, childList: true, characterData: true });
  fireEvent.click(first as Element);
  await screen.findByTestId("cell");
  fireEvent.click(third as Element);
  await screen.findByText(/^3 streams, buffer 16 KiB/);
  changes.push(...observer.takeRecords());
  expect(changes.filter(({ type }) => type !== "attributes")).toEqual([]);
  expect(new Set(changes.map(({ target }) => target)).size).toBeLessThanOrEqual(2);
  expect(laid.mock.results.filter(({ value }) => value.rows.length === 7)).toHaveLength(1);
});

it("names the missing tool and its node", async () => {
  open("/tests/runs/16?cell=2");
  expect(
    await screen.findByText(/iperf3 is not installed on shift7/, { selector: '[data-testid="cell"] *' }),
  ).toBeDefined();
});

it("shows what a queued run waits for, and cancels it after confirmation", async () => {
  open("/tests/runs/19");
  expect((await screen.findByTestId("progress")).textContent).toBe("Waiting for run #18, which uses shift3.");
  fireEvent.click(screen.getByRole("button", { name: "Cancel run" }));
  expect(await screen.findByRole("dialog", { name: "Cancel run #19?" })).toBeDefined();
});

it("shows a paper's conclusion with Backstay's verdict, and no cancel button", async () => {
  open("/tests/runs/cern96.fig4");
  expect(
    within(await screen.findByRole("table", { name: "Conclusions" })).getByText(
      "latency limited, about 3 ms and 20 MB/s a stream",
    ),
  ).toBeDefined();
  expect(screen.getByText(/CN\/96\/13/)).toBeDefined();
  expect(screen.queryByRole("button", { name: "Cancel run" })).toBeNull();
});
