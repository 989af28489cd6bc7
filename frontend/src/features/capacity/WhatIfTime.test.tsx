import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, it } from "vitest";
import { Theme } from "@/Theme";
import { MomentPicker } from "./WhatIfTime";

function Chosen() {
  const [at, setAt] = useState("now-7d");
  return (
    <Theme>
      <MomentPicker at={at} onChange={setAt} />
      <output>{at}</output>
    </Theme>
  );
}

const chosen = () => screen.getByRole("status").textContent ?? "";

it("takes a moment from the presets, or as it is typed", async () => {
  render(<Chosen />);
  fireEvent.click(screen.getByRole("button", { name: "Moment: 7 days ago" }));
  fireEvent.click(await screen.findByText("Last Monday 10:00"));
  const at = new Date(chosen());
  expect([at.getDay(), at.getHours()]).toEqual([1, 10]);
  fireEvent.click(screen.getByRole("button", { name: /^Moment: \d{4}-\d\d-\d\d 10:00$/ }));
  const input = await screen.findByLabelText("Custom moment");
  fireEvent.change(input, { target: { value: "2099-01-01" } });
  fireEvent.submit(input);
  await screen.findByText("The moment is in the future.");
  fireEvent.change(input, { target: { value: "soon" } });
  fireEvent.submit(input);
  await screen.findByText(/^Invalid moment/);
  fireEvent.change(input, { target: { value: " now " } });
  fireEvent.submit(input);
  expect(chosen()).toBe("");
  await screen.findByRole("button", { name: "Moment: now" });
});
