import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { FactMark, factSpec, type FactName } from "./FactMark";
import { states } from "@/util/spec.json";

test("a dead path has its own glyph, label and colour", () => {
  const { container } = render(<FactMark fact="end_to_end" state="dead" />);
  expect(screen.getByText("dead").className).not.toContain("visually-hidden");
  expect(container.firstElementChild?.textContent).toBe("✕dead");
  const others = ["working", "unverified", "unknown"].map((state) => factSpec("end_to_end", state));
  expect(others.map(({ tone }) => tone)).not.toContain("critical");
  expect(others.map(({ glyph }) => glyph)).not.toContain("✕");
});

test("only a working path has the tick", () => {
  const ticked = Object.entries(states.end_to_end).filter(
    ([, { tone, glyph }]) => tone === "ok" || glyph === "✓",
  );
  expect(ticked.map(([state]) => state)).toEqual(["working"]);
});

test("the three states of a standby differ in glyph, label and colour", () => {
  const known = ["verified", "not verified", "dead"].map((state) => factSpec("standby", state));
  for (const part of ["tone", "glyph", "label"] as const)
    expect(new Set(known.map((spec) => spec[part])).size).toBe(3);
  expect(known.map(({ label }) => label)).toEqual([
    "standby verified",
    "standby not verified",
    "standby dead",
  ]);
});

test("a standby has the same label for a path, a gateway, its role and a link", () => {
  const facts: FactName[] = ["gateway_use", "gateway_role", "link_use"];
  for (const [standby, use] of [
    ["verified", "standby_verified"],
    ["not verified", "standby_not_verified"],
    ["dead", "standby_dead"],
  ] as const)
    expect(facts.map((fact) => factSpec(fact, use).label)).toEqual(
      facts.map(() => factSpec("standby", standby).label),
    );
});

test("a state of a newer server is shown by its name", () => {
  render(<FactMark fact="carrier" state="half_open" />);
  expect(screen.getByText("half open").textContent).toBe("half open");
});
