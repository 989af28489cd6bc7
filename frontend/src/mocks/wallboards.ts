/** Wallboards of the mock API. */
import { http, HttpResponse } from "msw/http";
import type { CurrentWallboard, NewWallboard, Wallboard, WallboardIn } from "@/api/wallboard/queries";
import { iso, SITE } from "@/mocks/network";

const DAY_MS = 86_400_000;

export function wallboards(now: number): Wallboard[] {
  const make = (id: number, name: string, more: Partial<Wallboard> = {}): Wallboard => ({
    id,
    name,
    site: SITE.name,
    pages: ["overview", "incidents", "map", "paths", "links"],
    seconds: 20,
    theme: "dark",
    text_size: "normal",
    state: "active",
    expires_at: null,
    created_by: "demo",
    created_at: iso(now - DAY_MS),
    changed_at: iso(now - DAY_MS),
    used_at: iso(now - 30_000),
    revoked_at: null,
    ...more,
  });
  return [
    make(1, "control room"),
    make(2, "hall", { state: "revoked", revoked_at: iso(now - DAY_MS), used_at: null }),
  ];
}

export const currentWallboard = (more: Partial<CurrentWallboard> = {}): CurrentWallboard => ({
  name: "control room",
  site: SITE.name,
  pages: ["overview", "incidents", "map", "paths", "links"],
  seconds: 20,
  theme: "dark",
  text_size: "normal",
  expires_at: null,
  build: "one",
  ...more,
});

const fresh = (wallboard: Wallboard): NewWallboard => ({ ...wallboard, path: "/wall#bsw_mock0123456789" });

const known = (id: unknown): Wallboard => {
  const all = wallboards(Date.now());
  const found = all.find((one) => one.id === Number(id)) ?? all[0];
  if (found === undefined) throw new Error("the mock API has no wallboards");
  return found;
};

export const wallboardHandlers = [
  http.get("*/api/v1/wallboards/current", () => HttpResponse.json(currentWallboard())),
  http.get("*/api/v1/wallboards", () => HttpResponse.json({ items: wallboards(Date.now()), next: null })),
  http.post("*/api/v1/wallboards", async ({ request }) => {
    const { expires_at = null, ...body } = (await request.json()) as WallboardIn;
    return HttpResponse.json(fresh({ ...known(1), ...body, id: 3, expires_at, used_at: null }), {
      status: 201,
    });
  }),
  http.get("*/api/v1/wallboards/:id", ({ params }) => HttpResponse.json(known(params.id))),
  http.put("*/api/v1/wallboards/:id", async ({ params, request }) => {
    const { expires_at = null, ...body } = (await request.json()) as WallboardIn;
    return HttpResponse.json({ ...known(params.id), ...body, expires_at });
  }),
  http.post("*/api/v1/wallboards/:id/renew", ({ params }) => HttpResponse.json(fresh(known(params.id)))),
  http.post("*/api/v1/wallboards/:id/revoke", ({ params }) =>
    HttpResponse.json({ ...known(params.id), state: "revoked", revoked_at: iso(Date.now()) }),
  ),
];
