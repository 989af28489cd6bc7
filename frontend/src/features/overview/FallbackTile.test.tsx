import { render, screen, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { expect, it } from "vitest";
import { overview } from "@/mocks/overview";
import { Theme } from "@/Theme";
import { FallbackTile, type Fallbacks } from "./Tiles";

const { fallbacks } = overview(Date.parse("2026-05-01T12:00:00Z"), "cut");

function draw(change: Partial<Fallbacks> = {}) {
  render(
    <Theme>
      <MemoryRouter>
        <FallbackTile fallbacks={{ ...fallbacks, ...change }} />
      </MemoryRouter>
    </Theme>,
  );
  return screen.getByTestId("tile-fallbacks");
}

it("counts the fallbacks that hold and names the worst one that would not", () => {
  const tile = draw();
  expect(within(tile).getByRole("link", { name: /Fallbacks hold/ }).textContent).toContain("3 of 4");
  expect(tile.textContent).toContain("If grf1 failsatmgw:at0 would carry 142 % of 134.5 Mb/s.");
});

it("says unknown, and neither a count nor ok, while the study is stale", () => {
  const headline = "Capacity was last computed 5 min ago";
  const tile = draw({ is_stale: true, state: "unknown", headline, holds: 4, would_not_hold: 0 });
  expect(within(tile).getByRole("link", { name: /Fallbacks hold/ }).textContent).toContain("unknown");
  expect(tile.textContent).toContain(headline);
  expect(tile.textContent).not.toContain("4 of 4");
  expect(tile.querySelector('[data-state="ok"]')).toBeNull();
});

it("shows how many cannot be judged, and why a study failed", () => {
  const tile = draw({ holds: 3, would_not_hold: 0, unknown: 1, items: [], error: "no memory" });
  expect(tile.textContent).toContain("3 of 4, 1 unknown");
  expect(tile.textContent).toContain("The last study failed: no memory");
});
