import { act, render, screen } from "@testing-library/react";
import { createMemoryRouter, Outlet, RouterProvider } from "react-router";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Announcer, Deferred } from "./Shell";

const Part = ({ text }: { text: string }) => <p>{text}</p>;
const later = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("is loaded a moment after the page, and rendered once it has properties", async () => {
  const load = vi.fn(() => Promise.resolve(Part));
  const { rerender } = render(<Deferred load={load} isWanted={false} props={null} />);
  await later(1000);
  expect(load).not.toHaveBeenCalled();
  await later(5000);
  expect(load).toHaveBeenCalledTimes(1);
  rerender(<Deferred load={load} isWanted={false} props={{ text: "found" }} />);
  expect(screen.getByText("found")).toBeDefined();
});

it("is loaded at once if it is wanted, and again after a failure", async () => {
  const load = vi.fn(() => Promise.resolve(Part)).mockRejectedValueOnce(new Error("offline"));
  render(<Deferred load={load} isWanted props={{ text: "found" }} />);
  await later(100);
  expect(load).toHaveBeenCalledTimes(1);
  expect(screen.queryByText("found")).toBeNull();
  await later(6000);
  expect(screen.getByText("found")).toBeDefined();
});

it("gives the focus to the heading of a new page, but takes it from no field of that page", async () => {
  const frame = (
    <main>
      <Outlet />
      <Announcer />
    </main>
  );
  const page = (name: string) => ({
    path: `/${name}`,
    element: (
      <>
        <h1 tabIndex={-1}>{name}</h1>
        <input aria-label={`Name of ${name}`} />
      </>
    ),
  });
  const children = [page("first"), page("second"), page("third")];
  const router = createMemoryRouter([{ element: frame, children }], { initialEntries: ["/first"] });
  render(<RouterProvider router={router} />);
  await act(() => router.navigate("/second"));
  await later(200);
  expect(document.activeElement).toBe(screen.getByRole("heading"));
  await act(() => router.navigate("/third"));
  const field = screen.getByLabelText("Name of third");
  act(() => field.focus());
  await later(200);
  expect(document.activeElement).toBe(field);
});
