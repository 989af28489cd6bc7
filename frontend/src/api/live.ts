/**
 * The live stream: one EventSource a site, applied to the query cache.
 *
 * `load` patches figures in place, `event` prepends, `changed` asks the named nouns again (at most once a second
 * each), `gap` asks for everything. When the stream is away the pages poll every five seconds, and the stream is
 * tried again with growing pauses. Nothing here draws; `LiveState` is what a page shows about it.
 */
import type { QueryClient } from "@tanstack/react-query";
import { belongs, patchLink, patchLinks, patchOverview, patchTopology, prependEvent } from "@/api/patch";
import type { Pages } from "@/api/list-query";
import type { EventQuery } from "@/api/patch";
import type { Link, LiveMessage, NetworkEvent, Overview, Topology } from "@/api/types";

export type Connection = "connecting" | "live" | "polling" | "paused";

/** How fresh the pages are. `receivedAt` is Unix milliseconds of the last live message or good poll, 0 before the first. */
export interface LiveState {
  readonly connection: Connection;
  readonly receivedAt: number;
}

/** What the stream needs of the outside; the tests give their own. */
export interface LivePorts {
  readonly open: (url: string) => EventSource;
  readonly now: () => number;
  readonly later: (run: () => void, ms: number) => () => void;
}

const browserPorts: LivePorts = {
  open: (url) => new EventSource(url),
  now: () => Date.now(),
  later: (run, ms) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** EventSource.CLOSED, by its value: the class does not exist outside of browsers. */
const CLOSED = 2;
const POLL_MS = 5000;
const INVALIDATE_MS = 1000;
const CATCH_UP_MS = 1500;
const GRACE_MS = 3000;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
const MESSAGE_TYPES = ["hello", "load", "changed", "event", "gap"] as const;
/** Queries that a poll repeats: all that a live page would have received. */
const LIVE_NOUNS = [
  "topology",
  "overview",
  "counts",
  "event-groups",
  "links",
  "nodes",
  "paths",
  "events",
  "incidents",
  "changes",
  "drift",
  "drills",
] as const;
/** Other answers that a noun's change shows up in. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  incidents: ["overview", "counts", "event-groups", "topology", "links"],
  nodes: ["overview", "topology"],
  links: ["overview", "topology"],
  paths: ["overview", "topology"],
  changes: ["overview", "counts", "policies"],
  "failover-policies": ["policies"],
  ports: ["links", "topology"],
  agents: ["overview"],
};

export class LiveStream {
  private state: LiveState = { connection: "connecting", receivedAt: 0 };
  private readonly listeners = new Set<() => void>();
  private source: EventSource | undefined;
  private site: string | undefined;
  private pause = FIRST_PAUSE_MS;
  private readonly cancels = new Map<string, () => void>();

  constructor(
    private readonly queries: QueryClient,
    private readonly ports: LivePorts = browserPorts,
  ) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): LiveState => this.state;

  /** Follows a site; following the same one again changes nothing, so that a pause outlives a new render. */
  follow(site: string): void {
    if (this.site === site && (this.source !== undefined || this.state.connection === "paused")) return;
    this.stop();
    this.site = site;
    this.set({ connection: "connecting" });
    this.connect();
  }

  /** Freezes what the pages show until `resume`. */
  hold(): void {
    this.stop();
    this.set({ connection: "paused" });
  }

  /** Back to live: everything is asked again, and the stream opened. */
  resume(): void {
    this.set({ connection: "connecting" });
    this.refetchAll();
    this.connect();
  }

  stop(): void {
    this.source?.close();
    this.source = undefined;
    for (const cancel of this.cancels.values()) cancel();
    this.cancels.clear();
  }

  private connect(): void {
    if (this.site === undefined || this.state.connection === "paused") return;
    const source = this.ports.open(`/api/v1/live?site=${encodeURIComponent(this.site)}`);
    this.source = source;
    for (const type of MESSAGE_TYPES) {
      source.addEventListener(type, (message) =>
        this.received(source, JSON.parse((message as MessageEvent<string>).data) as LiveMessage),
      );
    }
    source.addEventListener("error", () => {
      if (this.source === source) this.lost(source);
    });
  }

  private lost(source: EventSource): void {
    // The server ends each stream now and then; the browser is back within a second or two and resumes by Last-Event-ID.
    if (this.state.connection !== "polling" && !this.cancels.has("away"))
      this.schedule("away", () => this.away(), GRACE_MS);
    if (source.readyState !== CLOSED) return;
    // After an HTTP error it does not reconnect.
    this.source = undefined;
    this.schedule("connect", () => this.connect(), this.pause);
    this.pause = Math.min(this.pause * 2, LONGEST_PAUSE_MS);
  }

  private away(): void {
    this.set({ connection: "polling" });
    this.poll();
  }

  private poll(): void {
    this.schedule(
      "poll",
      () => {
        if (this.state.connection !== "polling") return;
        void this.refetch(LIVE_NOUNS).then(
          (answered) =>
            answered && this.state.connection === "polling" && this.set({ receivedAt: this.ports.now() }),
        );
        this.poll();
      },
      POLL_MS,
    );
  }

  /** Messages of a stream that was closed meanwhile are dropped: they would end a pause. */
  private received(source: EventSource, message: LiveMessage): void {
    if (this.source === source) this.receive(message);
  }

  private receive(message: LiveMessage): void {
    const isFirst = this.state.receivedAt === 0;
    this.pause = FIRST_PAUSE_MS;
    this.cancel("away");
    this.cancel("poll");
    this.set({ connection: "live", receivedAt: this.ports.now() });
    switch (message.type) {
      case "load":
        this.applyLoads(message);
        break;
      case "event":
        if (message.event != null) this.applyEvent(message.event);
        break;
      case "changed":
        for (const noun of message.nouns ?? []) this.invalidate(noun);
        break;
      case "gap":
        this.refetchAll();
        break;
      case "hello":
        // What happened before the stream is not in it: ask once, but let a fresh page's first answers arrive.
        this.schedule("catch up", () => this.refetchAll(), isFirst ? CATCH_UP_MS : 0);
        break;
    }
  }

  private applyLoads({ site, at, links = [] }: LiveMessage): void {
    this.queries.setQueryData<Topology>(["topology", site], (old) => old && patchTopology(old, links, at));
    this.queries.setQueriesData<Overview>(
      { queryKey: ["overview", site] },
      (old) => old && patchOverview(old, links),
    );
    this.queries.setQueriesData<Pages<Link>>(
      { queryKey: ["links", site] },
      (old) => old && patchLinks(old, links),
    );
    this.queries.setQueriesData<Link>({ queryKey: ["links", "one"] }, (old) => old && patchLink(old, links));
  }

  private applyEvent(event: NetworkEvent): void {
    for (const [key, list] of this.queries.getQueriesData<Pages<NetworkEvent>>({
      queryKey: ["events", this.site],
    })) {
      const query = (key[2] ?? {}) as EventQuery;
      if (list !== undefined && belongs(event, query))
        this.queries.setQueryData(key, prependEvent(list, event));
      else if (query.q !== undefined) void this.queries.invalidateQueries({ queryKey: key });
    }
    this.invalidate("overview");
    this.invalidate("event-groups");
    if (event.kind.startsWith("path.")) this.invalidate("paths");
  }

  /** Asks a noun again, and what it shows up in, at once or at the end of the running second. */
  private invalidate(noun: string): void {
    for (const name of [noun, ...(ALSO[noun] ?? [])]) {
      const key = `invalidate ${name}`;
      if (this.cancels.has(key)) continue;
      void this.refetch([name]);
      this.schedule(key, () => void this.refetch([name]), INVALIDATE_MS);
    }
  }

  private refetchAll(): void {
    void this.queries.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] !== "session" && queryKey[0] !== "sites",
    });
  }

  /** Whether every asked query now has a good answer. */
  private async refetch(nouns: readonly string[]): Promise<boolean> {
    await Promise.all(nouns.map((noun) => this.refetchNoun(noun)));
    return nouns.every((noun) =>
      this.queries
        .getQueryCache()
        .findAll({ queryKey: [noun], type: "active" })
        .every(({ state }) => state.status === "success" && state.fetchFailureCount === 0),
    );
  }

  /**
   * A request under way is never replaced: its answer is shown, and one more follows. Otherwise changes that come
   * faster than a slow server answers would keep every answer from the page.
   */
  private async refetchNoun(noun: string): Promise<void> {
    const filter = { queryKey: [noun] };
    const isFetching = this.queries.isFetching(filter) > 0;
    await this.queries.invalidateQueries(filter, { cancelRefetch: false });
    if (isFetching) await this.queries.invalidateQueries(filter, { cancelRefetch: false });
  }

  private schedule(key: string, run: () => void, ms: number): void {
    this.cancel(key);
    const cancel = this.ports.later(() => {
      this.cancels.delete(key);
      run();
    }, ms);
    this.cancels.set(key, cancel);
  }

  private cancel(key: string): void {
    this.cancels.get(key)?.();
    this.cancels.delete(key);
  }

  private set(change: Partial<LiveState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }
}
