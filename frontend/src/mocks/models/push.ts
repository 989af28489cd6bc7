/** Web push of the mock API: the site allows it, and one device has it. */
import { http, HttpResponse } from "msw/http";
import type { Push, PushDevice } from "@/api/notifications/push";
import { iso, SITE } from "@/mocks/network";

const DAY_MS = 86_400_000;

export const push = (more: Partial<Push> = {}): Push => ({
  site: SITE.name,
  is_allowed: true,
  is_routed: true,
  public_key: "BOwn",
  ...more,
});

export const pushDevice = (more: Partial<PushDevice> = {}): PushDevice => ({
  id: 5,
  label: "Firefox on Android",
  service: "push.example.org",
  digest: "0".repeat(64),
  created_at: iso(Date.now() - DAY_MS),
  delivered_at: iso(Date.now() - 60_000),
  failing_since: null,
  failure: "",
  ...more,
});

export const pushHandlers = [
  http.get("*/api/v1/push", () => HttpResponse.json(push())),
  http.get("*/api/v1/push-devices", () => HttpResponse.json({ items: [pushDevice()], next: null })),
  http.post("*/api/v1/push-devices", () => HttpResponse.json(pushDevice({ id: 6 }), { status: 201 })),
  http.delete("*/api/v1/push-devices/:id", () => new HttpResponse(null, { status: 204 })),
];
