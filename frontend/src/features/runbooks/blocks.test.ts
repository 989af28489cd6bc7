import { expect, it } from "vitest";
import { blocks, spans } from "./blocks";

it("reads titles, text, lists and code", () => {
  const text =
    "# Runbook: a\n\nOne\ntwo.\n\n## 1. Verify\n\n```sh\nping a\n\nping b\n```\n\n- x `y`\n  z\n- w\n";
  expect(blocks(text)).toEqual([
    { id: 0, kind: "title", text: "Runbook: a" },
    { id: 1, kind: "text", text: "One two." },
    { id: 2, kind: "heading", text: "1. Verify" },
    { id: 3, kind: "code", text: "ping a\n\nping b" },
    { id: 4, kind: "list", items: ["x `y` z", "w"], isOrdered: false },
  ]);
});

it("separates code from text and shows links as their text", () =>
  expect(spans("run `ip route`, see [there](a.md)").map(({ part, isCode }) => [part, isCode])).toEqual([
    ["run ", false],
    ["ip route", true],
    [", see there", false],
  ]));
