/** Serves every request of the development server in the browser; localStorage selects the scenario. */
import { setupWorker } from "msw/browser";
import { http, HttpResponse } from "msw/http";
import { sse } from "msw/sse";
import type { LinkLoad, LiveMessage } from "@/api/types";
import { handlers, scenario } from "@/mocks/handlers";
import { links, SITE } from "@/mocks/network";

export async function startMock(): Promise<void> {
  await setupWorker(...handlers, live, unknown).start({ quiet: true, onUnhandledFrame: "bypass" });
}

/** The browser logs it as an error, so that tests notice what the mock API lacks. */
const unknown = http.all("*/api/v1/*", ({ request }) => {
  const message = `The mock API has no answer to ${request.method} ${new URL(request.url).pathname}.`;
  return HttpResponse.json({ code: "not_mocked", message, fields: {} }, { status: 501 });
});

const live = sse<{ load: LiveMessage; hello: LiveMessage }>("*/api/v1/live", ({ client }) => {
  const message = (type: LiveMessage["type"], loads: LinkLoad[] = []): LiveMessage => ({
    type,
    site: SITE.name,
    at: new Date().toISOString(),
    links: loads,
    nouns: [],
  });
  client.send({ event: "hello", data: message("hello") });
  setInterval(() => {
    const loads = links(Date.now(), scenario()).map(({ id, forward, back }) => ({
      id,
      forward: forward ?? null,
      back: back ?? null,
    }));
    client.send({ event: "load", data: message("load", loads) });
  }, 2000);
});
