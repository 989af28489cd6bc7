// The service worker's file itself, run in a context of its own: which window a click on a notification uses.
// Chromium lets a worker focus or open a window only after a real click, which a test cannot make.
import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { describe, expect, it, vi } from "vitest";

const ORIGIN = "https://backstay.example";
const SOURCE = readFileSync("public/push-worker.js", "utf8");

interface OpenWindow {
  url: string;
  focus: () => Promise<OpenWindow>;
  navigate: (url: string) => Promise<OpenWindow>;
}

type Handler = (event: object) => void;

/** A browser window that says what is done with it. */
function windowAt(path: string, does: string[], isControlled = true): OpenWindow {
  const self: OpenWindow = {
    url: `${ORIGIN}${path}`,
    focus: () => {
      does.push(`focus ${path}`);
      return Promise.resolve(self);
    },
    navigate: (url) => {
      if (!isControlled) return Promise.reject(new TypeError("not controlled"));
      does.push(`navigate ${path} to ${url}`);
      return Promise.resolve(self);
    },
  };
  return self;
}

/** The worker with these windows open; `send` returns once the worker is done with an event. */
function started(windows: OpenWindow[], does: string[]) {
  const handlers = new Map<string, Handler>();
  const showNotification = vi.fn().mockResolvedValue(undefined);
  const self = {
    addEventListener: (type: string, handler: Handler) => handlers.set(type, handler),
    location: { origin: ORIGIN },
    registration: { showNotification },
    clients: {
      matchAll: () => Promise.resolve(windows),
      openWindow: (url: string) => {
        does.push(`open ${url}`);
        return Promise.resolve(null);
      },
    },
  };
  runInContext(SOURCE, createContext({ self, URL }));
  const send = async (type: string, event: object) => {
    let done: Promise<unknown> = Promise.resolve();
    const waitUntil = (until: Promise<unknown>) => (done = until);
    handlers.get(type)?.({ ...event, waitUntil });
    await done;
  };
  return { send, showNotification };
}

/** What the worker does after a click on a notification that leads to this path. */
async function clicked(data: object | null, ...windows: [path: string, isControlled?: boolean][]) {
  const does: string[] = [];
  const worker = started(
    windows.map(([path, isControlled]) => windowAt(path, does, isControlled)),
    does,
  );
  const close = () => does.push("close");
  await worker.send("notificationclick", { notification: { data, close } });
  return does;
}

describe("a click on a notification", () => {
  it("focuses the window that shows its page already", async () => {
    expect(await clicked({ path: "/incidents/7" }, ["/"], ["/incidents/7"])).toEqual([
      "close",
      "focus /incidents/7",
    ]);
  });

  it("leads an open window to its page", async () => {
    expect(await clicked({ path: "/incidents/7" }, ["/links"])).toEqual([
      "close",
      "focus /links",
      `navigate /links to ${ORIGIN}/incidents/7`,
    ]);
  });

  it("opens a window if none is open, or if none can be led", async () => {
    const opened = `open ${ORIGIN}/incidents/7`;
    expect(await clicked({ path: "/incidents/7" })).toEqual(["close", opened]);
    expect(await clicked({ path: "/incidents/7" }, ["/links", false])).toEqual([
      "close",
      "focus /links",
      opened,
    ]);
  });

  it.each([{ path: "https://elsewhere.example/" }, { path: "//elsewhere.example/" }, {}, null])(
    "never leaves Backstay: %j",
    async (data) => {
      expect(await clicked(data)).toEqual(["close", `open ${ORIGIN}/incidents`]);
    },
  );
});

describe("a push message", () => {
  it.each([null, { json: () => JSON.parse("{") as object }])(
    "is shown even if it cannot be read: %j",
    async (data) => {
      const { send, showNotification } = started([], []);
      await send("push", { data });
      expect(showNotification).toHaveBeenCalledExactlyOnceWith(
        "Backstay",
        expect.objectContaining({ tag: "unreadable", data: { path: "/incidents" } }),
      );
    },
  );
});
