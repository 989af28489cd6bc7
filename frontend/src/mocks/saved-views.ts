/** Saved views of the mock API. */
import { http, HttpResponse } from "msw/http";
import type { SavedView } from "@/api/models/saved-views";
import { iso, SITE } from "@/mocks/network";

export function savedViews(list: string): SavedView[] {
  const make = (id: number, name: string, more: Partial<SavedView> = {}): SavedView => ({
    id,
    site: SITE.name,
    list_name: list,
    name,
    owner: "demo",
    is_own: true,
    is_shared: false,
    can_change: true,
    filters: {},
    sort: "",
    columns: [],
    changed_at: iso(Date.now()),
    ...more,
  });
  return [
    make(1, "only critical", { filters: { state: "critical" } }),
    make(2, "of the night shift", { owner: "ada", is_own: false, is_shared: true, can_change: false }),
  ];
}

export const savedViewHandlers = [
  http.get("*/api/v1/saved-views", ({ request }) =>
    HttpResponse.json({
      items: savedViews(new URL(request.url).searchParams.get("list_name") ?? ""),
      next: null,
    }),
  ),
];
