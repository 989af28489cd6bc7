/** Device metrics and fabrics of the mock API, one of each kind, so that pages render every kind of cell. */
import type {
  Collector,
  Recording,
  FabricCounter,
  FabricDetail,
  Figure,
  HippiReport,
  InfinibandHealth,
} from "@/api/types";
import type { SavedNode } from "@/api/saved-state";
import { fabrics } from "@/mocks/inventory";

function counter(): FabricCounter {
  return {
    name: "ib.symbol_errors",
    title: "Symbol errors",
    kind: "growth",
    unit: "errors",
    source: "PortCounters:SymbolErrorCounter",
    error: true,
    good: [],
    sentence: "Bits arrived wrong on a lane: a bad cable, connector or transceiver, when it keeps rising.",
    state: "warning",
    parts: 16,
    affected: 1,
    total: 6,
    per_s: 0.2,
    states: {},
    worst: [{ node: "isw1", node_id: 1, subject: "7", value: 6, reported_state: null, url: "/devices/1" }],
  };
}

export function hippiReport(): HippiReport {
  return {
    fabric: "hippi",
    at: new Date().toISOString(),
    headline: "In the last minute: 1 port with rejected connections.",
    state: "warning",
    window_s: 60,
    blocking_factor_ms: 20,
    rejects_ps: 2,
    camp_ons_ps: 1,
    counters: [counter()],
    ports: [
      {
        node: "ps32",
        node_id: 1,
        port: "port 3",
        port_id: null,
        state: "ok",
        device_state: "connected",
        rejects_ps: 2,
        camp_ons_ps: 1,
        overruns_ps: 0,
        url: "/devices/1",
      },
    ],
    gateways: [
      {
        node: "hsg1",
        node_id: 2,
        state: "ok",
        hold_ticks: 500,
        hold_time: "500 ticks, 10 ms at 20 µs per tick",
        waiting: 0.5,
        blocking_factor_ms: 20,
        given_up_ps: 0,
        refused_ps: 0,
        buffer_full_ps: 0,
        stop_requests_ps: null,
        line: "",
        url: "/devices/2",
      },
    ],
  };
}

export function infinibandHealth(): InfinibandHealth {
  return {
    fabric: "ib",
    at: new Date().toISOString(),
    headline: "1 cable to swap.",
    state: "critical",
    short_s: 720,
    long_s: 7500,
    watched_s: 7200,
    subnet_manager: "master",
    devices: 16,
    absent: [],
    silent: [],
    ports: 32,
    more_errors: 0,
    counters: [counter()],
    degraded: [
      {
        node: "isw1",
        node_id: 1,
        port: "7",
        width: true,
        speed: false,
        running: "1X 2.5 Gbps",
        url: "/devices/1",
      },
    ],
    errors: [
      {
        node: "isw1",
        node_id: 1,
        port: "7",
        metric: "ib.symbol_errors",
        title: "Symbol errors",
        sentence: counter().sentence,
        short: 20,
        long: 120,
        short_per_h: 100,
        long_per_h: 57.6,
        url: "/devices/1",
      },
    ],
    cables: [
      {
        link_id: 1,
        name: "isw1:7-x01:mlx4_0/1",
        action: "swap",
        state: "critical",
        reasons: ["isw1:7: 120 symbol errors in 125 min, 75 allowed"],
        url: "/links/1",
      },
    ],
    differences: [
      {
        name: "isw1:7-x01:mlx4_0/1",
        state: "warning",
        reported: "infiniband of isw1 reports isw1:7-x02:mlx4_0/1",
        url: "/links/1",
      },
    ],
  };
}

export function fabricDetails(): FabricDetail[] {
  return fabrics().map((fabric) => ({
    ...fabric,
    state: "ok",
    state_text: `${fabric.ports} of ${fabric.ports} ports reporting`,
    nodes: fabric.ports,
    links: fabric.ports,
    ports_up: fabric.ports,
    ports_down: 0,
    ports_unknown: 0,
    in_bps: 1_200_000,
    out_bps: 1_150_000,
    errors_ps: 0,
    contradicted_links: 0,
    counters: [counter()],
    report: fabric.kind === "hippi" ? `/hippi/${fabric.id}` : null,
  }));
}

export function collectorsOf(node: number): Collector[] {
  const at = new Date().toISOString();
  const common: Omit<Collector, "id" | "name" | "duration_ms"> = {
    kind: "collector",
    state: "ok",
    state_text: "ok",
    outcome: "ok",
    detail: "",
    since: at,
    at,
    age_s: 12,
    answered_at: at,
    agent: "mgmt1",
    tables: [],
    record_command: "",
    url: `/devices/${node}`,
  };
  return [
    {
      ...common,
      id: "snmp",
      name: "snmp",
      duration_ms: 131,
      record_command: "backstay-agent record sp08 --state /var/lib/backstay-agent --output recording.snmprec",
    },
    {
      ...common,
      id: "snmp-metrics",
      name: "snmp-metrics",
      duration_ms: 412.5,
      tables: [
        {
          table: "lldp",
          columns: 9,
          rows: 12,
          results: 9,
          not_understood: [{ reason: "neighbours on unlisted ports", rows: 3 }],
          duration_ms: 320,
          interruptions: 0,
          error: "",
        },
      ],
    },
  ];
}

export function figuresOf(node: number): Figure[] {
  const common = {
    collector: "snmp",
    outcome: "ok",
    port_id: null,
    since: null,
    at: new Date().toISOString(),
    age_s: 2,
    url: `/devices/${node}`,
  } as const;
  return [
    {
      ...common,
      id: "grf.card_state|card 3|snmp",
      name: "Card state",
      kind: "state",
      metric: "grf.card_state",
      subject: "card 3",
      unit: "",
      state: "ok",
      value: null,
      reported_state: "running",
      per_s: null,
      sentence:
        "Whether the card forwards; any word but running (or empty) means that its ports carry nothing.",
    },
    {
      ...common,
      id: "ps32.rejects|gh010|snmp",
      name: "Rejects",
      kind: "growth",
      metric: "ps32.rejects",
      subject: "gh010",
      unit: "connections",
      state: "warning",
      value: 4,
      reported_state: null,
      per_s: 2,
      sentence: "The switch refused connections that this port asked for.",
    },
  ];
}

export function savedState(node: string | null): SavedNode[] {
  const all: SavedNode[] = [
    {
      node: "sp01",
      node_id: 1,
      state: "warning",
      text: "1 setting of its ports would change at a reboot.",
      files: ["/etc/backstay/arp"],
      reported: [],
      reminders: [],
      url: "/devices/1",
      items: [
        { port: "css0", what: "mtu", running: "9000", saved: "65520", verdict: "differs" },
        { port: "css0", what: "address", running: "10.1.0.21/16", saved: "", verdict: "unknown" },
        { port: "css0", what: "state", running: "up", saved: "up", verdict: "saved" },
      ],
    },
    {
      node: "grf1",
      node_id: 4,
      state: "unknown",
      text: "The saved state cannot be read.",
      files: [],
      items: [],
      reported: ["last operation of its backup group: backup"],
      reminders: ["Then save its configuration (backup group of its MIB) and read it back."],
      url: "/devices/4",
    },
  ];
  return all.filter((saved) => node === null || saved.node === node);
}

/** A recording that can be downloaded. */
export function recordingsOf(node: number): Recording[] {
  const at = new Date().toISOString();
  return [
    {
      id: 3,
      device: "sp08",
      node_id: node,
      state: "recorded",
      text: "Complete.",
      by: "ada",
      asked_at: at,
      ended_at: at,
      expires_at: at,
      objects: 1204,
      bytes: 51_300,
      filename: "sp08-3.snmprec",
      download: "/api/v1/recordings/3/download",
    },
  ];
}
