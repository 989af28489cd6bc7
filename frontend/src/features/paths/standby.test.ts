import { expect, it } from "vitest";
import type { Path } from "@/api/types";
import { marks, saved, standbyNote } from "./standby";
import { paths } from "@/mocks/paths";

const NOW = Date.parse("2026-05-01T12:00:00Z");
const [whole] = paths(NOW, "normal") as [Path, ...Path[]];
const [cut] = paths(NOW, "cut") as [Path, ...Path[]];

it("adds the round-trip time of a verified standby, and names gateways that cannot take over", () => {
  expect(standbyNote(whole)).toEqual({ detail: "0.46 ms" });
  expect(standbyNote(cut)).toEqual({ title: "grf1 cannot take over." });
  const unproven = whole.gateways.map((one) => ({ ...one, use: "standby_not_verified" as const }));
  expect(standbyNote({ gateways: unproven, standby_dead: [] })).toEqual({});
});

it("predicts a reboot", () => {
  expect(saved({ saved: "would change on reboot", managed: true }).tone).toBe("warning");
  expect(saved({ saved: "unknown", managed: false }).tone).toBe("unknown");
  expect(saved({ saved: "unknown", managed: null }).label).toBe("not kept");
});

it("marks manual moves with their author and remaining time", () => {
  const move: NonNullable<Path["move"]> = {
    id: 1,
    gateway: "atmgw",
    state: "moved",
    seconds: 600,
    at: "",
    until: new Date(NOW + 65_000).toISOString(),
    returning: false,
    by: "alice",
    reason: "work on grf1",
    detail: "",
    drill_id: null,
  };
  expect(marks({ hold: null, move, failback: null }, NOW)).toEqual([
    { tone: "warning", label: "moved to atmgw, by alice, 1 min 5 s left", title: "work on grf1" },
  ]);
  expect(
    marks(
      { hold: null, move: { ...move, drill_id: 3, returning: true, until: null }, failback: null },
      NOW,
    )[0]?.label,
  ).toBe("drill: atmgw, failing back");
  expect(
    marks(
      {
        hold: null,
        move: { ...move, state: "returned" },
        failback: { gateway: "grf1", why: "manual", text: "by hand only", until: null },
      },
      NOW,
    ).map(({ label }) => label),
  ).toEqual(["failback to grf1 pending"]);
});

it("marks a held node with the end of the hold and the person", () => {
  const hold: NonNullable<Path["hold"]> = {
    id: 9,
    node: "sp01",
    node_id: 5,
    state: "held",
    text: "held until 14:32 UTC by alice",
    origin: "backend",
    by: "alice",
    reason: "card swap",
    seconds: 1800,
    at: "",
    until: "",
    ended_by: "",
    detail: "",
    can_end: true,
  };
  expect(marks({ hold, move: null, failback: null }, NOW)).toEqual([
    { tone: "warning", label: "held until 14:32 UTC by alice", title: "card swap" },
  ]);
});
