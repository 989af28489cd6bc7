import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FrameParser, SILENCE_MS, tokenSource } from "@/api/wallboard/token-source";

interface Asked {
  readonly url: string;
  readonly init: RequestInit;
  readonly send: (text: string) => void;
  readonly end: () => void;
}

const asked: Asked[] = [];
const encoder = new TextEncoder();
let status = 200;

/** A server whose streams the test writes; an abort ends them as in a browser. */
function serve(url: string, init: RequestInit): Promise<Response> {
  if (status !== 200) return Promise.resolve(new Response("{}", { status }));
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      init.signal?.addEventListener("abort", () => controller.error(new DOMException("", "AbortError")));
      asked.push({
        url,
        init,
        send: (text) => controller.enqueue(encoder.encode(text)),
        end: () => controller.close(),
      });
    },
  });
  return Promise.resolve(new Response(body, { status }));
}

const settle = () => vi.advanceTimersByTimeAsync(1);

beforeEach(() => {
  vi.useFakeTimers();
  asked.length = 0;
  status = 200;
  vi.stubGlobal("fetch", serve);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function opened() {
  const onRefused = vi.fn<() => void>();
  const open = tokenSource({ token: "bsw_secret", onRefused });
  return { open, onRefused };
}

describe("the stream of a screen", () => {
  it("carries the token in a header, never in the address, and no cookies", async () => {
    const source = opened().open("/api/v1/live?site=argonne");
    await settle();
    const [{ url, init } = {}] = asked;
    expect(url).toBe("/api/v1/live?site=argonne");
    expect(init).toMatchObject({
      headers: { Authorization: "Bearer bsw_secret" },
      credentials: "omit",
      cache: "no-store",
      referrerPolicy: "no-referrer",
    });
    source.close();
  });

  it("passes messages on, reports its end, and the next one resumes after the last message", async () => {
    const { open } = opened();
    const source = open("/api/v1/live");
    const seen: string[] = [];
    const lost = vi.fn<() => void>();
    source.addEventListener("load", (message) => seen.push((message as MessageEvent<string>).data));
    source.addEventListener("error", lost);
    await settle();
    asked[0]?.send('id: 7-0\nevent: load\ndata: {"links":[]}\n\n');
    await settle();
    expect(seen).toEqual(['{"links":[]}']);
    asked[0]?.end();
    await settle();
    expect(lost).toHaveBeenCalledOnce();
    expect(source.readyState).toBe(2);
    const next = open("/api/v1/live");
    await settle();
    expect(asked[1]?.init.headers).toMatchObject({ "Last-Event-ID": "7-0" });
    next.close();
  });

  it("says that the token was refused", async () => {
    status = 401;
    const { open, onRefused } = opened();
    const lost = vi.fn<() => void>();
    open("/api/v1/live").addEventListener("error", lost);
    await settle();
    expect(onRefused).toHaveBeenCalledOnce();
    expect(lost).toHaveBeenCalledOnce();
  });

  it("gives up a connection that died without a word", async () => {
    const source = opened().open("/api/v1/live");
    const lost = vi.fn<() => void>();
    source.addEventListener("error", lost);
    await settle();
    await vi.advanceTimersByTimeAsync(SILENCE_MS - 1000);
    asked[0]?.send(": still here\n\n");
    await vi.advanceTimersByTimeAsync(SILENCE_MS - 1000);
    expect(lost).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2000);
    expect(lost).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is silent after it was closed", async () => {
    const source = opened().open("/api/v1/live");
    const lost = vi.fn<() => void>();
    source.addEventListener("error", lost);
    await settle();
    source.close();
    await settle();
    expect(lost).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
});

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
