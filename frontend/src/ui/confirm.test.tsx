import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { confirm, ConfirmDialog } from "@/ui/confirm";
import { Theme } from "@/Theme";

const onConfirm = vi.fn();

async function open() {
  render(
    <Theme>
      <ConfirmDialog />
      <button
        type="button"
        onClick={() =>
          confirm({
            title: "Remove policy sp-default?",
            consequence: "The definition is deleted.",
            action: "Remove policy",
            onConfirm,
          })
        }
      >
        Remove
      </button>
    </Theme>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Remove" }));
  return screen.findByRole("dialog", { name: "Remove policy sp-default?" });
}

it("names object and consequence, focuses Cancel, and does nothing on Escape", async () => {
  const dialog = await open();
  expect(dialog.textContent).toContain("The definition is deleted.");
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Cancel" })));
  fireEvent.keyDown(dialog, { key: "Escape" });
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(onConfirm).not.toHaveBeenCalled();
});

it("executes once after confirmation", async () => {
  await open();
  fireEvent.click(screen.getByRole("button", { name: "Remove policy" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(onConfirm).toHaveBeenCalledOnce();
});
