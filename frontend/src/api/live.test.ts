import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isStale } from "@/api/connection";
import { LiveStream, type LivePorts } from "@/api/live";
import type { LiveMessage, NetworkEvent, Topology } from "@/api/types";
import { events } from "@/mocks/incidents";
import { topology } from "@/mocks/network";

const CONNECTING = 0;
const CLOSED = 2;

/** The part of EventSource that the stream uses, controlled by the test. */
class FakeSource extends EventTarget {
  readyState = 1;
  constructor(readonly url: string) {
    super();
  }
  close(): void {
    this.readyState = CLOSED;
  }
  send(message: Partial<LiveMessage> & Pick<LiveMessage, "type">): void {
    const full: LiveMessage = {
      site: "argonne",
      at: "2026-05-01T12:00:02Z",
      links: [],
      nouns: [],
      ...message,
    };
    this.dispatchEvent(new MessageEvent(message.type, { data: JSON.stringify(full) }));
  }
  fail(readyState: number): void {
    this.readyState = readyState;
    this.dispatchEvent(new Event("error"));
  }
}

const sources: FakeSource[] = [];
const ports: LivePorts = {
  open: (url) => {
    const source = new FakeSource(url);
    sources.push(source);
    return source as unknown as EventSource;
  },
  now: () => Date.now(),
  later: (run, ms) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

const at = (index: number): FakeSource => {
  const source = sources.at(index);
  if (source === undefined) throw new Error(`no source ${index} was opened`);
  return source;
};

let queries: QueryClient;
let live: LiveStream;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  sources.length = 0;
  queries = new QueryClient();
  live = new LiveStream(queries, ports);
  live.follow("argonne");
});

afterEach(() => {
  live.stop();
  vi.useRealTimers();
});

const invalidated = () => {
  const spy = vi.spyOn(queries, "invalidateQueries");
  return (noun: string) =>
    spy.mock.calls.filter(([filter]) => JSON.stringify(filter?.queryKey) === JSON.stringify([noun])).length;
};

describe("the live stream", () => {
  it("opens the site's stream once and is live at the first message", () => {
    live.follow("argonne");
    expect(sources.map(({ url }) => url)).toEqual(["/api/v1/live?site=argonne"]);
    expect(live.snapshot().connection).toBe("connecting");
    at(0).send({ type: "hello" });
    expect(live.snapshot()).toEqual({ connection: "live", receivedAt: 1_000_000 });
  });

  it("patches loads in place without requests", () => {
    queries.setQueryData(["topology", "argonne"], topology(0, "normal"));
    const asked = vi.spyOn(queries, "invalidateQueries");
    at(0).send({ type: "load", links: [{ id: 1, forward: null, back: null }] });
    expect(queries.getQueryData<Topology>(["topology", "argonne"])?.links[0]?.forward).toBeNull();
    expect(asked).not.toHaveBeenCalled();
  });

  it("applies numbered loads once and in order", () => {
    queries.setQueryData(["topology", "argonne"], topology(0, "normal"));
    const patched = (): unknown => queries.getQueryData<Topology>(["topology", "argonne"])?.links[0]?.forward;
    const first = patched();
    at(0).send({ type: "hello" });
    at(0).send({ type: "load", number: 7, links: [{ id: 1, forward: null, back: null }] });
    at(0).send({ type: "load", number: 7, links: [{ id: 1, forward: first as null, back: null }] });
    expect(patched()).toBeNull();
    at(0).send({ type: "load", number: 8, links: [{ id: 1, forward: first as null, back: null }] });
    expect(patched()).toEqual(first);
    expect(sources).toHaveLength(1);
  });

  it("reopens the stream after a missing load, and begins with all links", () => {
    queries.setQueryData(["topology", "argonne"], topology(0, "normal"));
    at(0).send({ type: "load", number: 7, links: [] });
    at(0).send({ type: "load", number: 9, links: [{ id: 1, forward: null, back: null }] });
    expect(queries.getQueryData<Topology>(["topology", "argonne"])?.links[0]?.forward).not.toBeNull();
    expect([sources.length, at(0).readyState]).toEqual([2, CLOSED]);
    at(1).send({ type: "hello" });
    at(1).send({ type: "load", number: 3, links: [{ id: 1, forward: null, back: null }] });
    expect(queries.getQueryData<Topology>(["topology", "argonne"])?.links[0]?.forward).toBeNull();
    expect(sources).toHaveLength(2);
  });

  it("leaves the age of patched data to the responses, so that a page shown again asks again", () => {
    queries.setQueryData(["topology", "argonne"], topology(0, "normal"), { updatedAt: 5000 });
    at(0).send({ type: "load", links: [{ id: 1, forward: null, back: null }] });
    const state = queries.getQueryState<Topology>(["topology", "argonne"]);
    expect(state?.data?.links[0]?.forward).toBeNull();
    expect(state?.dataUpdatedAt).toBe(5000);
  });

  it("refetches a changed noun and its views at once, then at most once a second", () => {
    const times = invalidated();
    for (let count = 0; count < 20; count += 1) at(0).send({ type: "changed", nouns: ["incidents"] });
    expect([times("incidents"), times("overview"), times("topology"), times("ports")]).toEqual([1, 1, 1, 0]);
    vi.advanceTimersByTime(1000);
    expect(times("incidents")).toBe(2);
  });

  it("ignores a short interruption: the browser reconnects", () => {
    at(0).send({ type: "hello" });
    at(0).fail(CONNECTING);
    vi.advanceTimersByTime(2000);
    at(0).send({ type: "hello" });
    vi.advanceTimersByTime(5000);
    expect(live.snapshot().connection).toBe("live");
    expect(sources).toHaveLength(1);
  });

  it("polls every 5 s while the stream is down and stops when it is back", async () => {
    at(0).send({ type: "hello" });
    for (let count = 0; count < 4; count += 1) {
      at(0).fail(CONNECTING);
      vi.advanceTimersByTime(1000);
    }
    expect(live.snapshot().connection).toBe("polling");
    const times = invalidated();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(times("topology")).toBe(2);
    at(0).send({ type: "hello" });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(times("topology")).toBe(2);
  });

  it("reconnects with growing delays after an HTTP error", () => {
    at(0).fail(CLOSED);
    vi.advanceTimersByTime(1000);
    expect(sources).toHaveLength(2);
    at(1).fail(CLOSED);
    vi.advanceTimersByTime(1000);
    expect(sources).toHaveLength(2);
    vi.advanceTimersByTime(1000);
    expect(sources).toHaveLength(3);
  });

  it("refetches everything after a gap and after each reconnection", () => {
    const asked = vi.spyOn(queries, "invalidateQueries");
    at(0).send({ type: "hello" });
    vi.advanceTimersByTime(2000);
    expect(asked).toHaveBeenCalledTimes(1);
    at(0).send({ type: "gap" });
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it("changes nothing while paused and refetches when resumed", () => {
    at(0).send({ type: "hello" });
    live.hold();
    expect(live.snapshot().connection).toBe("paused");
    expect(at(0).readyState).toBe(CLOSED);
    vi.advanceTimersByTime(60_000);
    expect(sources).toHaveLength(1);
    live.resume();
    expect(sources).toHaveLength(2);
  });

  it("stays paused through a late message and when the same site is followed again", () => {
    live.hold();
    at(0).send({ type: "load" });
    live.follow("argonne");
    expect(live.snapshot().connection).toBe("paused");
    expect(sources).toHaveLength(1);
  });

  it("stays paused if the site is known only after the pause, and opens its stream when resumed", () => {
    const early = new LiveStream(queries, ports);
    early.hold();
    early.follow("argonne");
    expect(early.snapshot().connection).toBe("paused");
    expect(sources).toHaveLength(1);
    early.resume();
    expect(sources.map(({ url }) => url)).toEqual(Array(2).fill("/api/v1/live?site=argonne"));
    early.stop();
  });

  it("switches to the stream of another site", () => {
    live.follow("shift");
    expect(at(0).readyState).toBe(CLOSED);
    expect(at(1).url).toBe("/api/v1/live?site=shift");
  });
});

describe("changes that come faster than the server answers", () => {
  const ANSWER_MS = 3000;
  const SECONDS = 12;

  /** Responds with the request's number after `ANSWER_MS`; a page observes it. */
  function slowOverview() {
    const asked = { count: 0, together: 0, most: 0 };
    const observer = new QueryObserver(queries, {
      queryKey: ["overview", "argonne"],
      queryFn: async () => {
        asked.count += 1;
        asked.together += 1;
        asked.most = Math.max(asked.most, asked.together);
        const number = asked.count;
        await new Promise((answered) => setTimeout(answered, ANSWER_MS));
        asked.together -= 1;
        return number;
      },
    });
    const leave = observer.subscribe(() => undefined);
    return { asked, leave, shown: () => observer.getCurrentResult().data ?? 0 };
  }

  it("are shown while they come, with one request at a time, and the last one is not lost", async () => {
    const { asked, leave, shown } = slowOverview();
    await vi.advanceTimersByTimeAsync(ANSWER_MS);
    expect(shown()).toBe(1);
    for (let second = 0; second < SECONDS; second += 1) {
      at(0).send({ type: "changed", nouns: ["incidents"] });
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(shown()).toBeGreaterThanOrEqual(3);
    expect(asked.most).toBe(1);
    const before = asked.count;
    at(0).send({ type: "changed", nouns: ["incidents"] });
    await vi.advanceTimersByTimeAsync(4 * ANSWER_MS);
    expect(shown()).toBeGreaterThan(before);
    leave();
  });
});

describe("an event during a request of the list", () => {
  it("stays in the list although the response is older than the event", async () => {
    const ANSWER_MS = 500;
    const [switched] = events(0, "cut", new URLSearchParams()) as [NetworkEvent];
    const stored: { id: number; kind: string }[] = [];
    const observer = new QueryObserver(queries, {
      queryKey: ["events", "argonne", {}],
      queryFn: async () => {
        const items = [...stored];
        await new Promise((answered) => setTimeout(answered, ANSWER_MS));
        return { pages: [{ items }], pageParams: [""] };
      },
    });
    const leave = observer.subscribe(() => undefined);
    const shown = () => observer.getCurrentResult().data?.pages[0]?.items.map(({ id }) => id);
    const happen = (event: NetworkEvent) => {
      stored.unshift(event);
      at(0).send({ type: "event", event });
    };
    await vi.advanceTimersByTimeAsync(ANSWER_MS / 2);
    happen({ ...switched, id: 1 });
    await vi.advanceTimersByTimeAsync(3 * ANSWER_MS);
    expect(shown()).toEqual([1]);

    void queries.invalidateQueries({ queryKey: ["events"] });
    await vi.advanceTimersByTimeAsync(ANSWER_MS / 2);
    happen({ ...switched, id: 2 });
    expect(shown()).toEqual([2, 1]);
    await vi.advanceTimersByTimeAsync(3 * ANSWER_MS);
    expect(shown()).toEqual([2, 1]);
    leave();
  });
});

describe("stale data", () => {
  it("is shown 15 s after the last message, and never while paused", () => {
    const receivedAt = 1_000_000;
    expect(isStale({ connection: "live", receivedAt }, 0, receivedAt + 5000, 2)).toBe(false);
    expect(isStale({ connection: "live", receivedAt }, 0, receivedAt + 14_000, 2)).toBe(true);
    expect(isStale({ connection: "polling", receivedAt }, 0, receivedAt + 14_000, 30)).toBe(true);
    expect(isStale({ connection: "paused", receivedAt }, 0, receivedAt + 600_000, 2)).toBe(false);
  });

  it("is shown later if devices report rarely", () => {
    expect(isStale({ connection: "live", receivedAt: 1 }, 0, 60_000, 30)).toBe(false);
  });

  it("is measured from the opening of the page without a first message", () => {
    expect(isStale({ connection: "connecting", receivedAt: 0 }, 1_000_000, 1_009_000, 2)).toBe(true);
  });
});
