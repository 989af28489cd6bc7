// Serves the built pages and the API of one synthetic site to the benchmark, on a free port of the loopback interface.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";
import { load, SITE, site } from "./site.mjs";

const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};
const PAGE = 500;

/** Starts the server; `send` publishes a live message with the loads of these links at that step. */
export async function serve(dist, size) {
  const { topology, racks } = site(size);
  const answer = gzipSync(JSON.stringify(topology));
  const streams = new Set();
  const message = (type, links = []) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, site: SITE.name, at: new Date().toISOString(), links, nouns: [] })}\n\n`;

  const nodesPage = (cursor) => {
    const items = topology.nodes
      .slice(cursor, cursor + PAGE)
      .map((node) => ({ ...node, labels: racks.has(node.id) ? { rack: String(racks.get(node.id)) } : {} }));
    const end = cursor + PAGE;
    return { items, next: end < topology.nodes.length ? String(end) : null };
  };

  const api = (path, query) => {
    if (path === "session") return { username: "bench", name: "Bench", role: "viewer", csrf_token: "none" };
    if (path === "sites")
      return { items: [{ ...SITE, last_reported_at: new Date().toISOString() }], next: null };
    if (path === "overview/counts")
      return {
        at: new Date().toISOString(),
        open_incidents: 3,
        root_causes: 3,
        awaiting: 0,
        evaluation_late_s: null,
      };
    if (path === "nodes") return nodesPage(Number(query.get("cursor") ?? 0));
    return { items: [], next: null };
  };

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://localhost");
    if (pathname === "/api/v1/live") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(message("hello"));
      streams.add(response);
      request.on("close", () => streams.delete(response));
    } else if (pathname === "/api/v1/topology") {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      response.end(answer);
    } else if (pathname.startsWith("/api/v1/")) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(api(pathname.slice("/api/v1/".length), searchParams)));
    } else {
      const isFile = extname(pathname) !== "";
      const file = join(dist, normalize(isFile ? pathname : "/index.html"));
      const body = await readFile(file).catch(() => null);
      response.writeHead(body === null ? 404 : 200, { "content-type": TYPES[extname(file)] ?? "text/plain" });
      response.end(body ?? "not found");
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    topology,
    bytes: answer.length,
    send: (links, step) => {
      const loads = links.map(({ id }) => ({ id, forward: load(id, 0, step), back: load(id, 1, step) }));
      for (const stream of streams) stream.write(message("load", loads));
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
