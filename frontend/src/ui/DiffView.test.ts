import { expect, it } from "vitest";
import { parseDiff } from "@/ui/DiffView";

const DIFF = `--- /etc/bird/bird.conf
+++ /etc/bird/bird.conf
@@ -10,3 +10,4 @@ protocol static backstay {
 # BEGIN backstay sp-default 0.0.0.0/0
-  route 0.0.0.0/0 via 10.1.0.15;
+  route 0.0.0.0/0 via 10.1.0.14 { preference = 200; };
+  route 0.0.0.0/0 via 10.1.0.15 { preference = 190; };
 # END backstay sp-default 0.0.0.0/0
\\ No newline at end of file
`;

it("numbers the lines of both sides and counts additions and removals", () => {
  const { lines, added, removed } = parseDiff(DIFF);
  expect([added, removed]).toEqual([2, 1]);
  expect(lines.map(({ kind, before, after }) => [kind, before, after])).toEqual([
    ["hunk", null, null],
    ["same", 10, 10],
    ["removed", 11, null],
    ["added", null, 11],
    ["added", null, 12],
    ["same", 12, 13],
  ]);
});

it("keeps a removed line that begins with dashes, and omits file names", () => {
  const { lines } = parseDiff("--- a\n+++ b\n@@ -1 +1 @@\n--- old\n+++ new\n");
  expect(lines.map(({ kind, text }) => [kind, text]).slice(1)).toEqual([
    ["removed", "-- old"],
    ["added", "++ new"],
  ]);
});

it("has no lines when both sides are equal", () =>
  expect(parseDiff("")).toEqual({ lines: [], added: 0, removed: 0 }));
