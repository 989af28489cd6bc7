import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import { setupServer } from "msw/node";
import { MemoryRouter } from "react-router";
import { afterAll, beforeAll, expect, it } from "vitest";
import { handlers } from "@/mocks/handlers";
import { storage } from "@/mocks/storage";
import { Theme } from "@/Theme";
import { daysText, fullText, predictedText, storageHeadline } from "./storage";
import { StoragePage } from "./StoragePage";

const server = setupServer(...handlers);
beforeAll(() => server.listen());
afterAll(() => server.close());

const NOW = Date.parse("2031-05-01T00:00:00Z");

it("shows days, sizes, predictions, disks and the archive's problems", async () => {
  render(
    <Theme>
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <StoragePage />
        </MemoryRouter>
      </QueryClientProvider>
    </Theme>,
  );
  const table = await screen.findByRole("table", { name: "Disk use by level" });
  const row = within(table).getByText("5-minute values").closest("tr");
  expect(row?.textContent).toContain("30 days, set by the site file");
  expect(row?.textContent).toContain("6 GiB");
  expect(within(table).getByText("samples (archive)").closest("tr")?.textContent).toContain("no limit");
  expect(screen.getByText("unknown: the database is on another host")).toBeDefined();
  expect(screen.getByText("The archive has 1 damaged file: see manage.py archive")).toBeDefined();
  expect(screen.getByText("2031-04-30")).toBeDefined();
});

it("states the most urgent fact in the headline", () => {
  const found = storage(NOW);
  expect(storageHeadline(found, NOW)).toBe(
    "Disk of archive full on 2031-05-21; the archive has 1 damaged file: see manage.py archive.",
  );
  const later = { ...found, archive: null, disks: found.disks.slice(0, 1) };
  expect(storageHeadline(later, NOW)).toBe("Free space of database unknown.");
  const young = { name: "database", free_bytes: 1, why_unknown: "no whole day", full_at: null } as const;
  expect(storageHeadline({ ...later, disks: [young] }, NOW)).toBe("When a disk is full is not known yet.");
  expect(storageHeadline({ ...later, disks: [] }, NOW)).toBe("No disk is full within 30 days.");
});

it("names unknown, unlimited and distant ends", () => {
  const disk = { name: "database", free_bytes: 1, why_unknown: "", full_at: null } as const;
  expect(fullText(disk)).toBe("not within 100 years");
  expect(fullText({ ...disk, why_unknown: "no whole day" })).toBe("unknown: no whole day");
  expect([predictedText(null, 1), predictedText(null, null)]).toEqual(["no limit", "not known yet"]);
  const [level] = storage(NOW).levels;
  expect(level === undefined ? "" : daysText({ ...level, days: 0 })).toBe("for ever");
});
