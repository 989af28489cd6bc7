/** Notifications of the mock API: a failing and an untried channel, a route with escalation, a rotation. */
import type {
  Channel,
  ChannelIn,
  ChannelTest,
  DeliveryDetail,
  NotificationRoute,
  NotificationRouteIn,
  Schedule,
  ScheduleIn,
} from "@/api/notifications/queries";
import { SITE } from "@/mocks/network";
import { channel_kinds } from "@/util/spec.json";

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
const iso = (ms: number): string => new Date(ms).toISOString();

const labelOf = (kind: string): string => channel_kinds.find((spec) => spec.kind === kind)?.label ?? kind;

function channel(now: number, id: number, more: Partial<Channel>): Channel {
  return {
    id,
    name: "operators",
    site: SITE.name,
    kind: "mail",
    label: labelOf(more.kind ?? "mail"),
    config: {},
    secrets: [],
    person: "",
    enabled: true,
    state: "ok",
    since: iso(now - 30 * MINUTE_MS),
    failure: "",
    worked_at: iso(now - 30 * MINUTE_MS),
    waiting: 0,
    ...more,
  };
}

export function channels(now: number): Channel[] {
  return [
    channel(now, 1, {
      config: {
        host: "mail.example.org",
        port: 587,
        security: "starttls",
        user: "backstay",
        sender: "backstay@example.org",
        recipients: ["operators@example.org", "network@example.org"],
      },
      secrets: ["password"],
    }),
    channel(now, 2, {
      name: "pager",
      kind: "webhook",
      config: { url: "https://pager.example.org/backstay" },
      secrets: ["secret"],
      person: "demo",
      state: "failing",
      since: iso(now - 5 * MINUTE_MS),
      failure: "pager.example.org refused the connection.",
      waiting: 2,
    }),
    channel(now, 3, {
      name: "phone",
      kind: "ntfy",
      config: { server: "https://ntfy.sh", topic: "argonne-network" },
      person: "frank",
      state: "untried",
      worked_at: null,
    }),
  ];
}

/** The server's response to a valid channel; it returns no secret. */
export function savedChannel(now: number, id: number, body: ChannelIn): Channel {
  const hidden = channel_kinds.find(({ kind }) => kind === body.kind)?.secrets ?? [];
  const given = Object.entries(body.config ?? {});
  return channel(now, id, {
    name: body.name,
    kind: body.kind,
    person: body.person ?? "",
    enabled: body.enabled ?? true,
    config: Object.fromEntries(given.filter(([name]) => !hidden.includes(name))),
    secrets: given.filter(([name, value]) => hidden.includes(name) && value !== "").map(([name]) => name),
    state: body.enabled === false ? "disabled" : "untried",
    worked_at: null,
  });
}

/** The webhook fails, the others deliver. */
export const channelTest = (id: number): ChannelTest =>
  id === 2
    ? { delivered: false, reason: "pager.example.org refused the connection.", took_ms: 12, delivery_id: 2 }
    : { delivered: true, reason: "", took_ms: 240, delivery_id: 1 };

export function notificationRoutes(now: number): NotificationRoute[] {
  return [
    {
      id: 1,
      name: "critical",
      site: SITE.name,
      position: 10,
      enabled: true,
      matchers: { severities: ["critical"], zone: "UTC" },
      steps: [
        { after_s: 0, channels: [1], schedules: [], targets: ["operators"] },
        { after_s: 900, channels: [], schedules: [1], targets: ["nights"] },
      ],
      group_wait_s: 10,
      group_interval_s: 300,
      repeat_s: 14_400,
      send_resolved: true,
      continues: false,
      changed_at: iso(now - DAY_MS),
    },
    {
      id: 2,
      name: "hippi-office-hours",
      site: SITE.name,
      position: 20,
      enabled: false,
      matchers: {
        kinds: ["port_down", "saturation"],
        fabrics: ["hippi"],
        times: [{ weekdays: [0, 1, 2, 3, 4], start: "08:00", end: "18:00" }],
        zone: "Europe/Zurich",
      },
      steps: [{ after_s: 0, channels: [1], schedules: [], targets: ["operators"] }],
      group_wait_s: 0,
      group_interval_s: 300,
      repeat_s: 0,
      send_resolved: false,
      continues: true,
      changed_at: iso(now - DAY_MS),
    },
  ];
}

/** The server's response to a valid route. */
export function savedRoute(now: number, id: number, body: NotificationRouteIn): NotificationRoute {
  const names = [
    ...channels(now).map(({ id: key, name }) => [`c${key}`, name] as const),
    ...schedules(now).map(({ id: key, name }) => [`s${key}`, name] as const),
  ];
  const known = new Map<string, string>(names);
  const steps = body.steps.map(({ after_s, channels: to = [], schedules: by = [] }) => ({
    after_s,
    channels: to,
    schedules: by,
    targets: [...to.map((key) => known.get(`c${key}`) ?? ""), ...by.map((key) => known.get(`s${key}`) ?? "")],
  }));
  return { ...body, id, matchers: body.matchers ?? { zone: "UTC" }, steps, changed_at: iso(now) };
}

const PEOPLE = ["demo", "rita", "frank"] as const;

/** People of the site; rita has no channel. */
export const people = () =>
  [...PEOPLE, "ada"].map((name, at) => ({ id: at + 1, name, has_channel: name !== "rita" }));

export function schedules(now: number): Schedule[] {
  // 09:00 in winter.
  const start = Math.floor(now / DAY_MS) * DAY_MS - 2 * DAY_MS + 8 * 60 * MINUTE_MS;
  return [
    {
      id: 1,
      name: "nights",
      site: SITE.name,
      people: [...PEOPLE],
      zone: "Europe/Zurich",
      starts_on: iso(start).slice(0, 10),
      handover: "09:00",
      days: 7,
      restrictions: [{ weekdays: [0, 1, 2, 3, 4, 5, 6], start: "18:00", end: "08:00" }],
      overrides: [{ person: "frank", start: iso(start + 8 * DAY_MS), end: iso(start + 9 * DAY_MS) }],
      on_call: "demo",
      without_channel: ["rita"],
      shifts: Array.from({ length: 8 }, (_, at) => ({
        person: PEOPLE[at % PEOPLE.length] ?? "",
        start: iso(start + at * 7 * DAY_MS),
        end: iso(start + (at + 1) * 7 * DAY_MS),
      })),
      changed_at: iso(start),
    },
  ];
}

/** The server's response to a valid schedule. */
export const savedSchedule = (now: number, id: number, body: ScheduleIn): Schedule => ({
  ...(schedules(now)[0] as Schedule),
  ...body,
  id,
  restrictions: body.restrictions ?? [],
  overrides: body.overrides ?? [],
});

export function deliveries(now: number): DeliveryDetail[] {
  const make = (id: number, more: Partial<DeliveryDetail>): DeliveryDetail => ({
    id,
    name: `[critical] ${SITE.name}: grf1 lost all links, and 2 more`,
    status: "sent",
    reason: "opened",
    target: "operators",
    channel_id: 1,
    route: "critical",
    key: `00000000-0000-4000-8000-00000000000${id}`,
    attempts: 1,
    failure: "",
    next_at: null,
    took_ms: 240,
    created_at: iso(now - id * 10 * MINUTE_MS),
    ended_at: iso(now - id * 10 * MINUTE_MS + 400),
    incidents: 3,
    text: `grf1 lost all links\ncritical, since ${iso(now - id * 10 * MINUTE_MS)}\n3 paths dead`,
    incident_ids: [1, 2],
    ...more,
  });
  return [
    make(3, {
      status: "queued",
      reason: "escalated",
      target: "pager (nights)",
      channel_id: 2,
      attempts: 2,
      failure: "pager.example.org refused the connection.",
      next_at: iso(now + MINUTE_MS),
      ended_at: null,
    }),
    make(2, {
      status: "failed",
      target: "pager",
      channel_id: 2,
      attempts: 8,
      failure: "pager.example.org refused the connection.",
    }),
    make(1, { reason: "test", route: null, name: "[test] argonne: Test", incident_ids: [], incidents: 1 }),
  ];
}
