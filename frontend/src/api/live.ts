/**
 * The live stream: one EventSource per site, applied to the query cache.
 *
 * `load` patches values in place (one that is missing reopens the stream, which begins with all links), `event` prepends, `changed` refetches the named nouns (each at most once per
 * second), `gap` refetches everything. Without a stream the pages poll every five seconds while it reconnects with
 * increasing delays. `LiveState` is what pages show about the connection.
 */
import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { belongs, patchLink, patchLinks, patchOverview, patchTopology, prependEvent } from "@/api/patch";
import type { Pages } from "@/api/list-query";
import type { EventQuery } from "@/api/patch";
import type { Link, LiveMessage, NetworkEvent, Overview, Topology } from "@/api/types";

export type Connection = "connecting" | "live" | "polling" | "paused";

/** Freshness of the pages. `receivedAt`: Unix milliseconds of the last message or successful poll, 0 before the first. */
export interface LiveState {
  readonly connection: Connection;
  readonly receivedAt: number;
}

/** External dependencies of the stream; tests supply their own. */
export interface LivePorts {
  readonly open: (url: string) => EventSource;
  readonly now: () => number;
  readonly later: (run: () => void, ms: number) => () => void;
  /** 0 to 1: shortens pauses by up to a half, so that many clients do not return together; without it they are exact. */
  readonly random?: () => number;
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
/** Queries that polling refetches: those that live messages keep current. */
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
/** Other queries whose data depends on a noun. */
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
  /** Number of the newest `load` of this stream. */
  private newestLoad: number | undefined;
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

  /**
   * Opens the stream of a site; a repeated call does nothing. A pause survives a new render, and the first site
   * that is known only after it.
   */
  follow(site: string): void {
    const isPaused = this.state.connection === "paused" && (this.site ?? site) === site;
    if (this.site === site && this.source !== undefined) return;
    if (!isPaused) this.stop();
    this.site = site;
    if (isPaused) return;
    this.set({ connection: "connecting" });
    this.connect();
  }

  /** Freezes what the pages show until `resume`. */
  hold(): void {
    this.stop();
    this.set({ connection: "paused" });
  }

  /** Refetches everything and reopens the stream. */
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
    this.newestLoad = undefined;
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
    // The server limits the life of a stream; the browser reconnects within two seconds and resumes by Last-Event-ID.
    if (this.state.connection !== "polling" && !this.cancels.has("away"))
      this.schedule("away", () => this.away(), GRACE_MS);
    if (source.readyState !== CLOSED) return;
    // After an HTTP error the browser does not reconnect.
    this.source = undefined;
    this.schedule("connect", () => this.connect(), this.pause * (1 - (this.ports.random?.() ?? 0) / 2));
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

  /** Drops messages of a closed stream: they would end a pause. */
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
        this.takeLoads(message);
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
        this.newestLoad = undefined;
        // Earlier changes are not in the stream: refetch once, on a new page only after its first responses.
        this.schedule("catch up", () => this.refetchAll(), isFirst ? CATCH_UP_MS : 0);
        break;
    }
  }

  /** Applies a message once, and only after the ones before it. */
  private takeLoads(message: LiveMessage): void {
    const { number } = message;
    const newest = this.newestLoad;
    if (number != null && newest !== undefined) {
      if (number <= newest) return;
      if (number > newest + 1) {
        this.source?.close();
        this.connect();
        return;
      }
    }
    this.newestLoad = number ?? newest;
    this.applyLoads(message);
  }

  private applyLoads({ site, at, links = [] }: LiveMessage): void {
    this.patch<Topology>(["topology", site], (old) => patchTopology(old, links, at));
    this.patch<Overview>(["overview", site], (old) => patchOverview(old, links));
    this.patch<Pages<Link>>(["links", site], (old) => patchLinks(old, links));
    this.patch<Link>(["links", "one"], (old) => patchLink(old, links));
  }

  /**
   * Changes cached data in place. Its age stays that of the newest response: everything else in it is as old, and a
   * page that shows it again requests it again.
   */
  private patch<T>(queryKey: QueryKey, update: (old: T) => T): void {
    for (const query of this.queries.getQueryCache().findAll({ queryKey })) {
      const { data, dataUpdatedAt: updatedAt } = query.state;
      if (data === undefined) continue;
      const next = update(data as T);
      if (next !== data) this.queries.setQueryData(query.queryKey, next, { updatedAt });
    }
  }

  private applyEvent(event: NetworkEvent): void {
    for (const [key, list] of this.queries.getQueriesData<Pages<NetworkEvent>>({
      queryKey: ["events", this.site],
    })) {
      const query = (key[2] ?? {}) as EventQuery;
      // A pending response may be older than the event and would remove it from the list.
      const isPending = this.queries.isFetching({ queryKey: key, exact: true }) > 0;
      if (isPending || query.q !== undefined) void this.refetchAfterPending(key);
      if (list !== undefined && belongs(event, query))
        this.queries.setQueryData(key, prependEvent(list, event));
    }
    this.invalidate("overview");
    this.invalidate("event-groups");
    if (event.kind.startsWith("path.")) this.invalidate("paths");
  }

  /** Refetches a noun and its dependents now, or at the end of the current second. */
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

  /** Refetches; whether every query succeeded. */
  private async refetch(nouns: readonly string[]): Promise<boolean> {
    await Promise.all(nouns.map((noun) => this.refetchAfterPending([noun])));
    return nouns.every((noun) =>
      this.queries
        .getQueryCache()
        .findAll({ queryKey: [noun], type: "active" })
        .every(({ state }) => state.status === "success" && state.fetchFailureCount === 0),
    );
  }

  /**
   * A pending request is never cancelled: its response is shown and one more request follows. Otherwise changes that
   * arrive faster than a slow server responds would keep every response from the page.
   */
  private async refetchAfterPending(queryKey: QueryKey): Promise<void> {
    const filter = { queryKey };
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
