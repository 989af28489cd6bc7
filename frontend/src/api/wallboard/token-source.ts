/**
 * The live stream of a screen: an EventSource whose requests carry the wallboard's token in a header.
 *
 * The browser's EventSource sends no headers, and a token in an address would be in logs. Like the browser's, it
 * resumes after the last message; unlike it, it never reconnects by itself: LiveStream does, with growing pauses.
 */
const OPEN = 1;
const CLOSED = 2;
/** The server sends something every 10 s: a connection that is silent for longer is dead. */
export const SILENCE_MS = 35_000;

interface Wanted {
  readonly token: string;
  /** The server refused the token. */
  readonly onRefused: () => void;
}

/** Opens streams; each resumes where the previous one ended. */
export function tokenSource({ token, onRefused }: Wanted): (url: string) => EventSource {
  let newest = "";
  return (url) => {
    const source = new TokenSource();
    void source.read(url, {
      headers: {
        Accept: "text/event-stream",
        Authorization: `Bearer ${token}`,
        ...(newest === "" ? {} : { "Last-Event-ID": newest }),
      },
      onRefused,
      onId: (id) => {
        newest = id;
      },
    });
    return source as unknown as EventSource;
  };
}

interface Reading {
  readonly headers: Record<string, string>;
  readonly onRefused: () => void;
  readonly onId: (id: string) => void;
}

/** The part of EventSource that LiveStream uses. */
class TokenSource extends EventTarget {
  readyState = 0;
  private readonly abort = new AbortController();
  private watchdog: ReturnType<typeof setTimeout> | undefined;

  close(): void {
    this.readyState = CLOSED;
    clearTimeout(this.watchdog);
    this.abort.abort();
  }

  async read(url: string, { headers, onRefused, onId }: Reading): Promise<void> {
    this.listen();
    try {
      const response = await fetch(url, {
        headers,
        signal: this.abort.signal,
        credentials: "omit",
        cache: "no-store",
        referrerPolicy: "no-referrer",
      });
      if (response.status === 401) onRefused();
      if (response.ok && response.body !== null) await this.receive(response.body, onId);
    } catch {
      // Reported below, as every other end.
    }
    if (this.readyState === CLOSED) return;
    this.close();
    this.dispatchEvent(new Event("error"));
  }

  private async receive(body: ReadableStream<Uint8Array>, onId: (id: string) => void): Promise<void> {
    this.readyState = OPEN;
    const parser = new FrameParser();
    const decoder = new TextDecoder();
    const reader = body.getReader();
    for (;;) {
      // Each piece is needed before the next.
      // oxlint-disable-next-line no-await-in-loop
      const { done, value } = await reader.read();
      if (done || this.readyState === CLOSED) return;
      this.listen();
      for (const { event, data, id } of parser.push(decoder.decode(value, { stream: true }))) {
        if (id !== "") onId(id);
        this.dispatchEvent(new MessageEvent(event, { data }));
      }
    }
  }

  /** Gives the connection up after too long a silence. */
  private listen(): void {
    clearTimeout(this.watchdog);
    this.watchdog = setTimeout(() => this.abort.abort(), SILENCE_MS);
  }
}

/** One message; `id` empty: it has none. */
export interface Frame {
  readonly event: string;
  readonly data: string;
  readonly id: string;
}

/** A frame of all links of a large site is about 2 MB. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

export class FrameParser {
  private rest = "";

  /** Characters that wait for the end of their frame. */
  get waiting(): number {
    return this.rest.length;
  }

  /** The frames that `text` completes; throws if one has no end. Comments are no frames. */
  push(text: string): Frame[] {
    const parts = (this.rest + text).split("\n\n");
    this.rest = parts.pop() ?? "";
    if (this.rest.length > MOST_CHARACTERS) throw new Error("A message of the live stream has no end.");
    return parts.map(frameOf).filter((frame) => frame !== null);
  }
}

function frameOf(text: string): Frame | null {
  const fields: Record<string, string> = {};
  for (const line of text.split("\n")) {
    const at = line.indexOf(":");
    if (at > 0) fields[line.slice(0, at)] = line.slice(at + 1).replace(/^ /, "");
  }
  const { event = "message", data, id = "" } = fields;
  return data === undefined ? null : { event, data, id };
}
