import { render, screen, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { expect, it } from "vitest";
import { overview } from "@/mocks/overview";
import { Theme } from "@/Theme";
import { Tiles } from "./Tiles";

const { tiles } = overview(Date.parse("2026-05-01T12:00:00Z"), "cut");

function draw(change: Partial<(typeof tiles)[number]> = {}) {
  render(
    <Theme>
      <MemoryRouter>
        <Tiles tiles={tiles.map((tile) => ({ ...tile, ...change }))} />
      </MemoryRouter>
    </Theme>,
  );
}

it("shows a recent change with its period and effects", () => {
  draw();
  const tile = screen.getByTestId("tile-recent_changes");
  expect(tile.textContent).toMatch(/grf1 failed oversince .*: 10 paths rerouted to atmgw/);
});

it("shows the age of a late source", () => {
  draw({ lag: "The alert rules were last evaluated 12 s ago." });
  expect(screen.getByTestId("lag-problems").textContent).toContain("12 s ago");
});

it("marks a change on which somebody else must act, and draws none of them green", () => {
  const waiting = tiles.find(({ kind }) => kind === "awaiting_confirmation");
  const refusal = "You authored this change; another approver is required.";
  draw({ items: (waiting?.items ?? []).map((item) => ({ ...item, refusal })) });
  const tile = screen.getByTestId("tile-awaiting_confirmation");
  expect(tile.textContent).toContain(refusal);
  expect(within(tile).queryByText("ok")).toBeNull();
});
