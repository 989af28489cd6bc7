/** Extension nodes of the mock API: one with a wrong switch node number, one in order, one without reports. */
import type {
  ExtensionAttribute,
  ExtensionCheck,
  ExtensionIn,
  ExtensionNode,
  ExtensionStep,
  SwitchPort,
} from "@/api/extension-nodes";

const ROWS: readonly (readonly [key: string, title: string, sdr: string, object: string, value: string])[] = [
  ["name", "Name", "", "ibmSPDepNodeName", "grf1"],
  ["number", "Node number", "DependentNode.node_number", "ibmSPDepNodeNumber", "16"],
  ["token", "Switch token", "", "ibmSPDepSwToken", "00010500"],
  ["arp", "ARP", "Switch_partition.arp_enabled", "ibmSPDepSwARP", "enabled"],
  ["switch_number", "Switch node number", "DependentNode.switch_node_number", "ibmSPDepSwNodeNumber", "15"],
  ["address", "Address", "DependentAdapter.netaddr", "ibmSPDepIPaddr", "10.1.0.16"],
  ["mask", "Mask", "DependentAdapter.netmask", "ibmSPDepNetMask", "255.255.255.0"],
  ["max_link_packet", "Largest packet", "", "ibmSPDepIPMaxLinkPkt", "65520"],
  ["host_offset", "Host offset", "", "ibmSPDepIPHostOffset", "1"],
  ["config_state", "Adapter", "", "ibmSPDepConfigState", "fullyConfigured"],
  ["node_state", "On the switch", "", "ibmSPDepNodeState", "nodeUp"],
  ["admin", "Admin status", "", "ibmSPDepAdminStatus", "up"],
];

function attributes(
  reported: Record<string, string> | null,
  texts: Record<string, string> = {},
): ExtensionAttribute[] {
  return ROWS.map(([key, title, sdr, object, value]) => {
    const found = reported === null ? null : (reported[key] ?? value);
    const noted = key === "token" ? null : value;
    const verdict =
      found === null
        ? "not_reported"
        : noted === null
          ? "not_declared"
          : found === noted
            ? "same"
            : "differs";
    return {
      key,
      title,
      sdr,
      object,
      intended: noted,
      reported: found,
      verdict,
      text: texts[key] ?? "",
      severe: verdict === "differs",
    };
  });
}

const UNDO: ExtensionStep[] = [
  { command: "enrmadapter", text: "Remove the adapter from the SDR.", values: [] },
  { command: "enrmnode", text: "Remove the extension node from the SDR.", values: [] },
];

const valuesOf = (reported: Record<string, string>) =>
  Object.entries(reported).map(([key, value]) => ({ name: key, value }));

function steps(name: string, number: number, address: string): ExtensionStep[] {
  const own = String(number);
  return [
    {
      command: "endefnode",
      text: "Define the extension node in the SDR.",
      values: valuesOf({ name, node_number: own, switch_node_number: String(number - 1) }),
    },
    {
      command: "endefadapter",
      text: "Define its adapter on the switch.",
      values: valuesOf({
        node_number: own,
        netaddr: address,
        netmask: "255.255.255.0",
        arp_enabled: "yes",
        "largest packet": "65520",
        "host offset": "1",
      }),
    },
    {
      command: "enadmin -a reconfigure",
      text: "Make the control workstation send them to the router by SNMP.",
      values: [],
    },
    { command: "", text: "Verify on this page: fullyConfigured, nodeUp, no differences.", values: [] },
    {
      command: "",
      text: "Save the router's configuration, or the adapter reverts at its next boot.",
      values: [],
    },
  ];
}

function node(id: number, name: string, number: number, more: Partial<ExtensionNode>): ExtensionNode {
  return {
    id,
    name,
    port: "gt000",
    fabric: "sp-switch",
    state: "ok",
    state_text: "11 attributes match the router",
    place: `frame 1 slot ${number}`,
    node_number: number,
    switch_node_number: number - 1,
    address: `10.1.0.${number}/24`,
    arp: true,
    arp_source: "reported by 9 nodes of sp-switch",
    reported_at: new Date(Date.now() - 4000).toISOString(),
    age_s: 4,
    attributes: attributes({}),
    checks: [
      {
        check: "switch_port",
        level: "passed",
        text: `The switch port of frame 1 slot ${number} is free.`,
        nodes: [],
      },
      { check: "mtu", level: "passed", text: "Max packet is 65520 bytes, as on the nodes.", nodes: [] },
    ],
    steps: steps(name, number, `10.1.0.${number}`),
    undo: UNDO,
    incident_id: null,
    url: `/extension-nodes/${id}`,
    ...more,
  };
}

export function extensionNodes(): ExtensionNode[] {
  const text = "Switch node number is 3 on the router, intended 15: its packets go to another switch port.";
  return [
    node(1, "grf1", 16, {
      state: "critical",
      state_text: text.slice(0, -1),
      attributes: attributes({ switch_number: "3" }, { switch_number: text }),
      incident_id: 1,
    }),
    node(2, "grf2", 14, {}),
    node(3, "grf3", 13, {
      state: "unknown",
      state_text: "its router does not report a row of the SP dependent-node MIB",
      attributes: attributes(null),
      reported_at: null,
      age_s: null,
    }),
  ];
}

function ports(): SwitchPort[] {
  return Array.from({ length: 16 }, (_, place) => {
    const slot = place + 1;
    const owner = slot <= 8 ? `sp0${slot}` : slot === 15 ? "atmgw" : "";
    if (owner !== "") return { frame: 1, slot, use: "used" as const, owner, text: `Used by node ${owner}.` };
    if (slot === 16)
      return {
        frame: 1,
        slot,
        use: "covered" as const,
        owner: "atmgw",
        text: "atmgw covers the slot and uses the port of slot 15.",
      };
    return {
      frame: 1,
      slot,
      use: "empty" as const,
      owner: "",
      text: "The slot is empty; it cannot take a node afterwards.",
    };
  });
}

/** Numbers up to 8 are in use: the real check's message. */
export function extensionCheck({ node: name, slot, node_number, address }: ExtensionIn): ExtensionCheck {
  const number = node_number ?? slot ?? 16;
  const clash = number <= 8;
  const given = address ?? `10.1.0.${number}/24`;
  const text = `${name} and sp0${number} would both have node number ${number}.`;
  const attachable = !clash;
  return {
    node: name,
    fabric: "sp-switch",
    arp: true,
    arp_source: "reported by 9 nodes of sp-switch",
    attachable,
    ports: ports(),
    proposal: {
      frame: 1,
      slot: slot ?? 16,
      node_number: number,
      switch_node_number: number - 1,
      address: given,
      host_offset: 1,
      max_link_packet: 65520,
      reasons: {
        number: "From frame 1 slot 16: 16 x (frame - 1) + slot.",
        switch_number: "Node number minus 1, as on the nodes.",
        host_offset: "Host part minus switch node number, as on the nodes.",
        address: "Switch node number plus host offset, so that it is reachable with ARP off.",
      },
    },
    checks: [
      clash
        ? { check: "node_number", level: "failed", text, nodes: [name, `sp0${number}`] }
        : { check: "node_number", level: "passed", text: `Node number ${number} is free.`, nodes: [] },
      {
        check: "arp_rule",
        level: "passed",
        text: `${name} has host part ${number} (10.1.0.${number}) and switch node number ${number - 1}: the difference is 1. It is reachable with ARP on and off.`,
        nodes: [],
      },
    ],
    steps: attachable ? steps(name, number, given.split("/")[0] ?? "") : [],
    undo: attachable ? UNDO : [],
    site_file: attachable
      ? `  - name: ${name}\n    kind: gateway\n    node_number: ${number}\n    switch_node_number: ${number - 1}\n    extension: {port: gt000, frame: 1, slot: ${slot ?? 16}, host_offset: 1}\n    ports:\n      - {name: gt000, fabric: sp-switch, addresses: [${given}]}\n`
      : "",
  };
}
