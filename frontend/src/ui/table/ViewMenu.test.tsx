import { fireEvent, render, screen, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { Theme } from "@/Theme";
import { ConfirmDialog } from "@/ui/confirm";
import { ViewMenu, type Views } from "@/ui/table/ViewMenu";

const view = {
  id: 1,
  name: "night",
  owner: "ada",
  is_own: true,
  is_shared: false,
  can_change: true,
  unknown: [],
};

function open(more: Partial<Views> = {}): Views {
  const views: Views = {
    items: [view],
    error: null,
    canShare: false,
    isBusy: false,
    read: vi.fn(),
    apply: vi.fn(),
    save: vi.fn((_name, _isShared, onDone: () => void) => onDone()),
    replace: vi.fn(),
    remove: vi.fn(),
    ...more,
  };
  render(
    <Theme>
      <ConfirmDialog />
      <ViewMenu views={views} />
    </Theme>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Views" }));
  return views;
}

// jsdom lays nothing out, so the focus trap warns that it finds nothing to focus, with the whole element.
beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => undefined));

const row = (text: string) => screen.getByText(text).closest("li") ?? document.body;

it("reads the views when it opens, and applies one by its number", async () => {
  const views = open();
  expect(views.read).toHaveBeenCalledTimes(1);
  fireEvent.click(await screen.findByRole("button", { name: /^night/ }));
  expect(views.apply).toHaveBeenCalledWith(1);
});

it("says whose a view is, and who else has it", async () => {
  open({
    items: [
      view,
      { ...view, id: 2, name: "mine for all", is_shared: true },
      { ...view, id: 3, name: "theirs", is_own: false, is_shared: true, can_change: false, owner: "eve" },
    ],
  });
  expect((await screen.findByText("mine")).textContent).toBe("mine");
  expect(row("shared by you").textContent).toContain("mine for all");
  const theirs = row("shared by eve");
  expect(theirs.textContent).toContain("theirs");
  expect(within(theirs).queryByRole("button", { name: /Delete/ })).toBeNull();
});

it("does not apply a view with a filter that the page does not have, and names it", async () => {
  const views = open({ items: [{ ...view, unknown: ["fabric"] }] });
  const button = await screen.findByRole<HTMLButtonElement>("button", { name: /^night/ });
  expect(button.textContent).toContain("needs fabric");
  fireEvent.click(button);
  expect(views.apply).not.toHaveBeenCalled();
});

it("saves under a name without spaces around it, shared only by those who may", async () => {
  const views = open({ canShare: true });
  const field = await screen.findByLabelText<HTMLInputElement>("Save filters, sort and columns as");
  const save = screen.getByText("Save view").closest("button") as HTMLButtonElement;
  expect(save.disabled).toBe(true);
  fireEvent.change(field, { target: { value: "  busy  " } });
  fireEvent.click(screen.getByLabelText("Share with the site"));
  fireEvent.click(save);
  expect(views.save).toHaveBeenCalledWith("busy", true, expect.any(Function));
  expect(field.value).toBe("");
});

it("asks before it replaces or deletes a view", async () => {
  const views = open();
  fireEvent.click(await screen.findByRole("button", { name: "Delete night" }));
  const dialog = await screen.findByRole("dialog", { name: "Delete night?" });
  expect(dialog.textContent).toContain("Only you see it.");
  expect(views.remove).not.toHaveBeenCalled();
  fireEvent.click(within(dialog).getByRole("button", { name: "Delete" }));
  expect(views.remove).toHaveBeenCalledWith(1);
});

it("says that the views cannot be read", async () => {
  open({ items: undefined, error: new Error("The server is restarting.") });
  expect((await screen.findByText("The server is restarting.")).getAttribute("role")).toBe("status");
});
