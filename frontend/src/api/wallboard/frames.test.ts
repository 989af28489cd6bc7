import { describe, expect, it } from "vitest";
import { FrameParser } from "@/api/wallboard/frames";

describe("frames of a stream", () => {
  it("are the same however the text is cut", () => {
    const text =
      'retry: 1000\nid: 5-1\nevent: hello\ndata: {"a":1}\n\n: still here\n\nevent: load\ndata: {"b: c":2}\n\n';
    const expected = [
      { event: "hello", data: '{"a":1}', id: "5-1" },
      { event: "load", data: '{"b: c":2}', id: "" },
    ];
    for (let size = 1; size <= text.length; size += 1) {
      const parser = new FrameParser();
      const found = [];
      for (let at = 0; at < text.length; at += size) found.push(...parser.push(text.slice(at, at + size)));
      expect(found).toEqual(expected);
    }
  });

  it("leave nothing behind", () => {
    const parser = new FrameParser();
    for (let number = 0; number < 100_000; number += 1)
      parser.push(`id: ${number}-0\nevent: load\ndata: {"links":[]}\n\n`);
    expect(parser.waiting).toBe(0);
  });

  it("without an end are an error, not a growing buffer", () => {
    const parser = new FrameParser();
    const piece = "x".repeat(1024 * 1024);
    expect(() => {
      for (let number = 0; number < 20; number += 1) parser.push(piece);
    }).toThrow("no end");
  });
});
