import { expect, it, vi } from "vitest";
import { notify } from "@/ui/notify";

it("shows the result although the notifications cannot be loaded", async () => {
  vi.doMock("@mantine/notifications", () => {
    throw new Error("the server is away");
  });
  const alert = vi.spyOn(window, "alert").mockImplementation(() => undefined);
  notify("bad", "The change was not saved.");
  await vi.waitFor(() => expect(alert).toHaveBeenCalledExactlyOnceWith("The change was not saved."));
});
