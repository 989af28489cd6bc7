/** Saved state of the mock API: a node with an MTU that was only set by hand, and a router that nobody can read. */
import type { SavedNode } from "@/api/saved-state";

export function savedState(node: string | null): SavedNode[] {
  const all: SavedNode[] = [
    {
      node: "sp01",
      node_id: 1,
      state: "warning",
      text: "1 setting of its ports would change at a boot.",
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
      text: "Whether it is saved cannot be read.",
      files: [],
      items: [],
      reported: ["last operation of its backup group: backup"],
      reminders: ["Save its configuration afterwards (the backup group of its MIB does), and read it back."],
      url: "/devices/4",
    },
  ];
  return all.filter((saved) => node === null || saved.node === node);
}
