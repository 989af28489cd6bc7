import { render, screen } from "@testing-library/react";
import { MemoryRouter, Route, Routes } from "react-router";
import { expect, it } from "vitest";
import { Theme } from "@/Theme";
import { incident_kinds } from "@/util/spec.json";
import { RunbookPage } from "./RunbookPage";
import { RUNBOOKS, titleOf } from "./runbooks";

function open(name: string) {
  render(
    <Theme>
      <MemoryRouter initialEntries={[`/runbooks/${name}`]}>
        <Routes>
          <Route path="runbooks/:name" element={<RunbookPage />} />
        </Routes>
      </MemoryRouter>
    </Theme>,
  );
}

it.each([...new Set(incident_kinds.map(({ runbook }) => runbook))])("shows the runbook %s", (name) => {
  open(name);
  expect(screen.getByRole("heading", { level: 1 }).textContent).toMatch(/^[A-Z0-9]/);
  expect(document.body.textContent).not.toContain("docs/runbooks");
  const headings = screen.getAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent);
  expect(headings).toEqual(["1. Verify", "2. Act", "What Backstay does automatically"]);
  // Marks that the page does not render would be read as text.
  expect(document.body.textContent).not.toMatch(/\*\*|\]\(|```/);
});

it("says that a runbook is missing", () => {
  open("nothing");
  expect(screen.getByText("No runbook named nothing.")).toBeDefined();
});

it("lists every runbook with the incidents it is for", () => {
  expect(titleOf("link-down", "# Runbook: link down\n")).toBe("Link down");
  const kinds = RUNBOOKS.flatMap((runbook) => runbook.kinds);
  expect(kinds.toSorted()).toEqual(incident_kinds.map(({ title }) => title).toSorted());
});
