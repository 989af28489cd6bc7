import { expect, it } from "vitest";
import { byCause } from "@/ui/lists/IncidentList";

const incident = (id: number, cause_id: number | null = null) => ({ id, cause_id });
const shape = (incidents: { id: number; cause_id: number | null }[]) =>
  byCause(incidents).map(({ cause, effects }) => [cause.id, effects.map(({ id }) => id)]);

it("groups effects under their root cause, in either order", () => {
  expect(shape([incident(2, 1), incident(1), incident(3, 1), incident(4)])).toEqual([
    [1, [2, 3]],
    [4, []],
  ]);
});

it("follows a chain of causes to the root", () =>
  expect(shape([incident(1), incident(2, 1), incident(3, 2)])).toEqual([[1, [2, 3]]]));

it("shows an effect on its own when its cause is not in the list", () =>
  expect(shape([incident(2, 9)])).toEqual([[2, []]]));

it("accepts a cycle of causes", () =>
  expect(
    byCause([incident(1, 2), incident(2, 1)]).flatMap(({ cause, effects }) => [cause, ...effects]).length,
  ).toBe(2));
