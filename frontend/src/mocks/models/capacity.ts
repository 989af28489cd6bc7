/** Capacity of the mock API: three studied failures, and a what-if that answers with the first of them. */
import type {
  Advice,
  CapacityStatus,
  FailureDetail,
  ForecastChart,
  ForecastStatus,
  LinkForecast,
  PredictionCheck,
  StoredFailure,
  TrackRecord,
  WhatIf,
} from "@/api/models/capacity";
import { iso } from "@/mocks/network";

const GRF1 = { kind: "node", id: 201, name: "grf1" } as const;
const ATMGW = { kind: "node", id: 202, name: "atmgw" } as const;

const none: FailureDetail = {
  failed: [],
  verdict: "holds",
  state: "ok",
  reason: "No link is too full.",
  sentence: "Nothing fails: no link is too full.",
  has_fallback: false,
  growth_percent: 24,
  moves: [],
  moves_total: 0,
  links: [],
  links_total: 0,
  gateways: [],
  gateways_total: 0,
  cut_off: [],
  cut_off_nodes: 0,
  cut_off_bps: 0,
  stopped: [],
  loops: [],
  redundancy_lost: [],
  redundancy_lost_nodes: 0,
  recovers_in_s: null,
  unattributed_bps: 0,
};

export const tooFull: FailureDetail = {
  ...none,
  failed: [GRF1],
  verdict: "would_not_hold",
  state: "warning",
  reason: "atmgw:at0 would carry 142 % of 134.5 Mb/s.",
  sentence: "If grf1 fails, atmgw:at0 would carry 142 % of 134.5 Mb/s.",
  has_fallback: true,
  growth_percent: -29.6,
  moves: [
    {
      policy: "sp-default",
      prefix: "0.0.0.0/0",
      from_gateway: GRF1,
      to_gateway: ATMGW,
      outcome: "moved",
      nodes: 4,
      names: ["sp01", "sp02", "sp03", "sp04"],
      out_bps: 191_000_000,
      in_bps: 12_000_000,
      unknown_nodes: 0,
    },
    {
      policy: "sp-static",
      prefix: "0.0.0.0/0",
      from_gateway: GRF1,
      to_gateway: null,
      outcome: "undetected",
      nodes: 1,
      names: ["sp05"],
      out_bps: 0,
      in_bps: 0,
      unknown_nodes: 1,
    },
  ],
  moves_total: 2,
  links: [
    {
      link: 14,
      name: "atmgw:at0-router:at1",
      direction: "forward",
      start: "atmgw",
      end: "router",
      before_bps: 0,
      after_bps: 191_000_000,
      carried_bps: 134_500_000,
      usable_rate: 134_500_000,
      utilisation: 1.42,
      is_measured: true,
    },
    {
      link: 13,
      name: "grf1:ga031-router:at0",
      direction: "forward",
      start: "grf1",
      end: "router",
      before_bps: 191_000_000,
      after_bps: 0,
      carried_bps: 0,
      usable_rate: null,
      utilisation: null,
      is_measured: false,
    },
  ],
  links_total: 2,
  gateways: [
    {
      node: 202,
      name: "atmgw",
      before_pps: 1_000,
      after_pps: 131_000,
      limit_pps: 100_000,
      share: 1.31,
      is_known: true,
    },
  ],
  gateways_total: 1,
  cut_off: ["sp05"],
  cut_off_nodes: 1,
  recovers_in_s: 0.15,
};

export const capacityStatus = (now: number): CapacityStatus => ({
  site: "argonne",
  headline: "1 of 2 fallbacks would not hold",
  state: "warning",
  computed_at: iso(now - 20_000),
  checked_at: iso(now - 20_000),
  age_s: 20,
  is_stale: false,
  error: "",
  failing_since: null,
  method: "policies",
  fallbacks: { total: 2, holds: 1, would_not_hold: 1, unknown: 0 },
  failures: { total: 2, holds: 1, would_not_hold: 1, unknown: 0 },
  single_attached: 8,
  unknown_nodes: 1,
  carried_bps: 412_000_000,
  unattributed_bps: 8_000_000,
  unattributed_share: 0.0194,
  cpu_ms: 21,
});

export const capacityFailures = (now: number) =>
  [
    { id: 1, name: "grf1", kind: "node" as const, key: "node:201", detail: tooFull },
    {
      id: 3,
      name: "slot3",
      kind: "card" as const,
      key: "group:slot3",
      members: ["grf1:ga030-origin1:at0", "grf1:ga031-router:at0"],
      detail: tooFull,
    },
    {
      id: 2,
      name: "atmgw",
      kind: "node" as const,
      key: "node:202",
      detail: {
        ...none,
        failed: [ATMGW],
        reason: "No traffic moves.",
        sentence: "If atmgw fails, no traffic moves.",
      },
    },
  ].map(({ detail, members = [], ...row }) => ({
    ...row,
    members,
    members_total: members.length,
    verdict: detail.verdict,
    state: detail.state,
    since: iso(now - 600_000),
    reason: detail.reason,
    sentence: detail.sentence,
    has_fallback: detail.has_fallback,
    worst: detail.links[0] ?? null,
    worst_utilisation: detail.links[0]?.utilisation ?? null,
    worst_gateway: detail.gateways[0] ?? null,
    worst_packet_share: detail.gateways[0]?.share ?? null,
    moved_nodes: detail.moves[0]?.nodes ?? 0,
    moved_bps: detail.moves[0]?.out_bps ?? 0,
    cut_off_nodes: detail.cut_off_nodes,
    cut_off_bps: detail.cut_off_bps,
    redundancy_lost: detail.redundancy_lost_nodes,
    growth_percent: detail.growth_percent,
    url: `/capacity/${row.id}`,
  }));

export const storedFailure = (now: number): StoredFailure => ({
  ...tooFull,
  id: 1,
  name: "grf1",
  kind: "node",
  key: "node:201",
  since: iso(now - 600_000),
  computed_at: iso(now - 20_000),
  is_stale: false,
});

/** The failure of grf1 if it is among the failed objects; else nothing moves. */
export function whatIf(now: number, params: URLSearchParams): WhatIf {
  const dead = params.getAll("dead");
  const fails = dead.some((name) => name === "node:201" || name === "node:grf1");
  return {
    site: "argonne",
    at: iso(now),
    load: "mean",
    growth_percent: Number(params.get("growth") ?? 0),
    method: "policies",
    failure: fails ? tooFull : none,
    intact: none,
    unknown_nodes: 1,
    carried_bps: 412_000_000,
    unattributed_bps: 8_000_000,
    unattributed_share: 0.0194,
  };
}

/** A drill that was measured, and a failover that was too short. */
export function trackRecord(now: number): TrackRecord {
  const links = tooFull.links
    .filter(({ is_measured }) => is_measured)
    .map((lane) => ({ ...lane, measured_bps: 200_000_000, error_share: 0.067, error_relative: 0.0471 }));
  const drill: PredictionCheck = {
    id: 2,
    gateway: "grf1",
    cause: "drill",
    drill: 7,
    started_at: iso(now - 600_000),
    last_switch_at: iso(now - 599_000),
    ended_at: null,
    moved_nodes: 8,
    predicted_at: iso(now - 640_000),
    verdict: "would_not_hold",
    state: "measured",
    reason: "",
    measured_at: iso(now - 530_000),
    median_error: 0.02,
    worst_error: 0.067,
    worst: links[0] ?? null,
    links,
  };
  return {
    status: {
      site: "argonne",
      headline: "1 failover measured: median error 2 %, worst 7 % of the usable rate; 1 not measured",
      measured: 1,
      not_measured: 1,
      pending: 0,
      median_error: 0.02,
      worst_error: 0.067,
    },
    items: [
      drill,
      {
        ...drill,
        id: 1,
        cause: "failover",
        drill: null,
        state: "not_measured",
        reason: "It lasted 12 s: too short to measure.",
        ended_at: iso(now - 588_000),
        measured_at: null,
        median_error: null,
        worst_error: null,
        worst: null,
      },
    ],
    next: null,
  };
}

const DAY_MS = 86_400_000;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** A link that fills, one that does not within a year, and one whose fit is poor. */
export function linkForecasts(now: number): readonly [LinkForecast, ...LinkForecast[]] {
  const day = now - DAY_MS;
  const fills: LinkForecast = {
    id: 1,
    link: 11,
    name: "atmgw:at0-router:at1",
    is_back: false,
    start: "atmgw",
    end: "router",
    day: dayOf(day),
    is_stale: false,
    forecast: "within_year",
    state: "warning",
    reason: "",
    current_bps: 84_000_000,
    usable_rate: 134_500_000,
    utilisation: 0.6245,
    full_on: dayOf(day + 92 * DAY_MS),
    earliest: dayOf(day + 83 * DAY_MS),
    latest: dayOf(day + 104 * DAY_MS),
    error: 0.031,
    naive_error: 0.087,
    url: "/capacity/forecast/1",
  };
  const undated = { full_on: null, earliest: null, latest: null };
  return [
    fills,
    {
      ...fills,
      ...undated,
      id: 2,
      name: "grf1:ga031-router:at0",
      start: "grf1",
      forecast: "not_within_year",
      state: "ok",
    },
    {
      ...fills,
      ...undated,
      id: 3,
      is_back: true,
      start: "router",
      end: "atmgw",
      forecast: "unknown",
      state: "unknown",
      reason: "A forecast of the last 45 days was off by 83 %.",
      error: null,
      naive_error: null,
    },
  ];
}

export const forecastStatus = (now: number): ForecastStatus => ({
  site: "argonne",
  headline: "1 of 3 link directions will be full within a year, 1 without a forecast",
  day: dayOf(now - DAY_MS),
  computed_at: iso(now - 3_600_000),
  is_stale: false,
  error: "",
  failing_since: null,
  counts: { saturated: 0, within_year: 1, not_within_year: 1, unknown: 1 },
});

/** 60 days of history and a year ahead; a poor fit has its history only. */
export function forecastChart(now: number, id: number): ForecastChart {
  const [first, ...others] = linkForecasts(now);
  const row = others.find((item) => item.id === id) ?? first;
  const isKnown = row.forecast !== "unknown";
  const days = Array.from({ length: isKnown ? 425 : 60 }, (_, index) => index - 59);
  const trend = days.map((day) => (isKnown ? 84_000_000 + day * 550_000 : null));
  return {
    ...row,
    days: days.map((day) => dayOf(now + (day - 1) * DAY_MS)),
    values: days.map((day) => (day > 0 ? null : 84_000_000 + day * 550_000 + (day % 7) * 900_000)),
    trend,
    low: trend.map((value, index) => value && value - 20_000 * Math.abs(index - 30)),
    high: trend.map((value, index) => value && value + 20_000 * Math.abs(index - 30)),
  };
}

export const advice = (now: number): Advice => ({
  site: "argonne",
  headline: "With the best single improvement 2 of 3 failing fallbacks hold",
  computed_at: iso(now - 120_000),
  age_s: 120,
  is_stale: false,
  failing: 3,
  tried: 6,
  skipped: 0,
  further: 0,
  error: "",
  items: [
    {
      kind: "capacity",
      title: "Give oc3 a usable rate of 200 Mb/s (2 links).",
      steps: ["Replace the links of oc3 by ones that carry 200 Mb/s.", "backstay sites import FILE"],
      policy: null,
      gateways: [],
      fabric: "oc3",
      fabric_id: 3,
      usable_rate: 200_000_000,
      holds: ["grf1", "grf1:ga031-router:at0"],
      holds_total: 2,
      eased: ["slot3"],
      eased_total: 1,
      worse: [],
      worse_total: 0,
      remaining: 1,
    },
  ],
});
