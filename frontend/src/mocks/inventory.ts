/** Fabrics, nodes, ports and agents of the mock API, derived from its topology. */
import type { PortTrends } from "@/api/ports/trends";
import type { Agent, Fabric, Node, Port } from "@/api/types";
import { linkDetails, nodes, SITE, type Scenario } from "@/mocks/network";

export function fabrics(): Fabric[] {
  const make = (
    id: number,
    name: string,
    title: string,
    kind: string,
    media: number,
    usable: number,
    mtu: number,
    attached: number,
  ): Fabric => ({
    id,
    name,
    title,
    kind,
    media_rate: media,
    usable_rate: usable * SITE.rate_scale,
    mtu,
    arp: "on",
    ports: attached,
    url: `/fabrics/${id}`,
  });
  return [
    make(1, "sp-switch", "SP Switch", "sp_switch", 960e6, 960e6, 65520, 10),
    make(2, "hippi", "HIPPI-800", "hippi", 800e6, 800e6, 65280, 2),
    make(3, "atm-oc12", "ATM OC-12", "atm", 622.08e6, 538e6, 9180, 6),
    make(4, "atm-oc3", "ATM OC-3", "atm", 155.52e6, 134.5e6, 9180, 2),
    make(5, "management", "Management Ethernet", "ethernet", 100e6, 100e6, 1500, 14),
  ];
}

export function nodesOut(scenario: Scenario): Node[] {
  return nodes(scenario)
    .filter(({ kind }) => kind !== "fabric")
    .map((node) => {
      const isCompute = node.role === "compute";
      const snmp = node.name === "grf1";
      return {
        id: node.id,
        name: node.name,
        title: node.title,
        kind: node.kind,
        role: node.role,
        state: node.state,
        state_text: node.state_text,
        reporting: node.state === "unknown" ? "not_reporting" : "reporting",
        gateway: node.gateway,
        since: node.since,
        age_s: node.age_s,
        node_number: isCompute ? node.id : null,
        switch_node_number: isCompute ? node.id - 1 : null,
        management_address: `10.255.0.${10 + node.id}`,
        agent: snmp ? "mgmt1" : node.name,
        sys_name: node.name,
        sys_descr: snmp ? "Ascend GigaRouter GRF-400" : "Linux 6.1",
        uptime_s: 431_000,
        clock_offset_s: snmp ? -31 * 86_400 : 0.0004 * (node.id % 5) - 0.0006,
        clock_text: snmp ? "clock 31 d behind" : "",
        labels: {},
        engine: isCompute ? (node.id < 5 ? "bird" : "frr") : null,
        management: null,
        hold: null,
        url: node.url,
      };
    });
}

export function portsOf(now: number, scenario: Scenario, node: string | null): Port[] {
  return linkDetails(now, scenario).flatMap((link, index) =>
    (
      [
        ["source", link.back, link.forward],
        ["target", link.forward, link.back],
      ] as const
    )
      .filter(([side]) => link[side].port !== null && (node === null || link[side].node === node))
      .map(([side, into, out]): Port => ({
        id: link[side].port_id ?? 0,
        name: link[side].port ?? "",
        kind: link.fabric,
        node: link[side].node,
        node_id: link[side].node_id ?? 0,
        fabric: link.fabric,
        link_id: link.id,
        state: link.state,
        state_text: link.state_text,
        carrier: link.carrier,
        since: link.since,
        age_s: 1.1,
        if_type: 37,
        speed: link.media_rate * SITE.rate_scale,
        contradicted_speed: null,
        usable_rate: link.usable_rate,
        mtu: link.mtu,
        mac: "02:00:0a:01:00:01",
        addresses: [`10.1.0.${index + 1}/24`],
        measured_at: (into ?? out)?.at ?? null,
        measured_s: 2,
        in_pps: (into?.bps ?? 0) / 8000,
        out_pps: (out?.bps ?? 0) / 8000,
        in_bps: into?.bps ?? null,
        out_bps: out?.bps ?? null,
        in_utilisation: into?.utilisation ?? null,
        out_utilisation: out?.utilisation ?? null,
        utilisation: Math.max(into?.utilisation ?? 0, out?.utilisation ?? 0),
        in_errors_ps: 0,
        out_errors_ps: 0,
        url: link.url,
      })),
  );
}

export function agents(scenario: Scenario): Agent[] {
  return nodesOut(scenario)
    .filter(({ name }) => name !== "grf1")
    .map((node) => ({
      id: `agent-${node.id}`,
      name: node.name,
      kind: "agent",
      node: node.name,
      state: node.state,
      state_text: node.state_text,
      since: node.since,
      age_s: node.age_s,
      version: "0.1.0",
      clock_offset_s: node.clock_offset_s,
      spool_waiting: 0,
      spool_dropped: 0,
      reports_refused: 0,
      reports_sanitised: 0,
      sources: node.name === "mgmt1" ? ["linux", "snmp:grf1"] : ["linux", "bird"],
      revoked: false,
      url: "/settings/agents",
    }));
}

/** An hour of the asked ports in minutes: what they carry now, with a gap. */
export function portTrends(now: number, scenario: Scenario, ids: readonly number[]): PortTrends {
  const [bins, gap] = [60, 20];
  const flat = (bps: number | null) =>
    Array.from({ length: bins }, (_, index) => (index === gap ? null : bps));
  return {
    step_s: 60,
    at: Array.from({ length: bins }, (_, index) => Math.floor(now / 1000) - 60 * (bins - index)),
    level: "samples",
    ports: portsOf(now, scenario, null)
      .filter(({ id }) => ids.includes(id))
      .map(({ id, in_bps, out_bps }) => ({ port_id: id, in_mean: flat(in_bps), out_mean: flat(out_bps) })),
  };
}
