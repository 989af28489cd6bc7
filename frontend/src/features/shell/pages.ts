/** The pages of the navigation in groups, in its order: the one source of menu, search, shortcuts and help. */
import type { IconName } from "@/ui/Icon";

export interface RailPage {
  readonly path: string;
  readonly name: string;
  /** The second key after `g`. */
  readonly key: string;
  /** What the page shows, in a sentence. */
  readonly about: string;
  /** Name of its document in docs/, which `/help/NAME` shows. */
  readonly docs: string;
  /** Paths of pages that belong to this one and are not below it. */
  readonly also?: readonly string[];
}

/** A first-level entry; one whose only page has its name is a link to that page. */
export interface RailGroup {
  readonly name: string;
  readonly icon: IconName;
  readonly pages: readonly RailPage[];
}

export const GROUPS: readonly RailGroup[] = [
  {
    name: "Overview",
    icon: "overview",
    pages: [
      {
        path: "/",
        name: "Overview",
        key: "o",
        about:
          "What is broken, nearly full, changed, waiting for confirmation or not reporting, as of one moment.",
        docs: "tour",
      },
    ],
  },
  {
    name: "Network",
    icon: "map",
    pages: [
      {
        path: "/map",
        name: "Map",
        key: "m",
        about: "Nodes, fabrics and links with their load; a half-line is one direction.",
        docs: "map",
      },
      {
        path: "/fabrics",
        name: "Fabrics",
        key: "f",
        about: "The networks with their traffic and the counters of their devices.",
        docs: "site-file",
        also: ["/infiniband", "/hippi"],
      },
      {
        path: "/devices",
        name: "Devices",
        key: "d",
        about: "Hosts, gateways, routers and switches: state, ports, metrics and collection.",
        docs: "agent",
        also: ["/ports"],
      },
      {
        path: "/links",
        name: "Links",
        key: "l",
        about: "Links with their load in both directions, their history and the evidence for them.",
        docs: "exports",
        also: ["/exports"],
      },
      {
        path: "/circuits",
        name: "Circuits",
        key: "v",
        about: "Virtual circuits hop by hop, as declared and as devices report them.",
        docs: "site-file",
      },
      {
        path: "/clocks",
        name: "Clocks",
        key: "k",
        about: "Offsets of the clocks of nodes, and where they come from.",
        docs: "agent",
      },
    ],
  },
  {
    name: "Failover",
    icon: "paths",
    pages: [
      {
        path: "/paths",
        name: "Paths",
        key: "p",
        about:
          "Which gateway each node uses, whether its standby would work, and the path between two nodes.",
        docs: "operator",
      },
      {
        path: "/policies",
        name: "Policies",
        key: "y",
        about: "Which gateways nodes shall use, in order, and how a failure is detected.",
        docs: "operator",
      },
      {
        path: "/changes",
        name: "Changes",
        key: "c",
        about: "Plans and their execution: review, approve, apply, confirm, roll back.",
        docs: "operator",
      },
      {
        path: "/drift",
        name: "Drift",
        key: "t",
        about: "Where running or saved configurations differ from the intended ones.",
        docs: "operator",
      },
      {
        path: "/drills",
        name: "Drills",
        key: "r",
        about: "Failovers on purpose, with the measured outage.",
        docs: "operator",
      },
    ],
  },
  {
    name: "ARP and neighbours",
    icon: "arp",
    pages: [
      {
        path: "/arp",
        name: "ARP",
        key: "a",
        about: "Which ports answer ARP requests, per fabric and policy.",
        docs: "operator",
      },
      {
        path: "/neighbours",
        name: "Neighbours",
        key: "n",
        about: "ARP and IPv6 neighbour tables: usage, duplicates, and who had an address.",
        docs: "agent",
      },
      {
        path: "/extension-nodes",
        name: "Extension nodes",
        key: "x",
        about: "Switch nodes without processors of their own that attach a gateway.",
        docs: "site-file",
      },
    ],
  },
  {
    name: "Tests",
    icon: "tests",
    pages: [
      {
        path: "/tests",
        name: "Tests",
        key: "b",
        about: "Throughput tests: plans, runs, and the named bottleneck of each result.",
        docs: "throughput",
      },
    ],
  },
  {
    name: "Capacity",
    icon: "chart",
    pages: [
      {
        path: "/capacity",
        name: "Will it hold?",
        key: "z",
        about: "Whether the fallback carries the traffic if a gateway, switch or link fails, before it does.",
        docs: "capacity",
      },
      {
        path: "/hold-time",
        name: "Hold time",
        key: "q",
        about: "Delay, loss and TCP throughput of a blocked HIPPI destination over the hold time.",
        docs: "hold-time",
      },
    ],
  },
  {
    name: "Incidents and events",
    icon: "incidents",
    pages: [
      {
        path: "/incidents",
        name: "Incidents",
        key: "i",
        about: "What is wrong, grouped by root cause, with evidence and what people did.",
        docs: "maintenance",
      },
      {
        path: "/events",
        name: "Events",
        key: "e",
        about: "What happened, grouped by cause or one by one.",
        docs: "maintenance",
      },
      {
        path: "/differences",
        name: "What changed",
        key: "g",
        about: "What is different at the end of the time range than at its start, and what people did.",
        docs: "operator",
      },
      {
        path: "/maintenance",
        name: "Maintenance",
        key: "w",
        about: "Planned work that mutes notifications, incidents or tests.",
        docs: "maintenance",
      },
      {
        path: "/rules",
        name: "Rules",
        key: "u",
        about: "Thresholds of the alert rules, per site and object.",
        docs: "rules",
      },
      {
        path: "/notifications",
        name: "Notifications",
        key: "h",
        about: "Channels, routes, on-call schedules, push on your devices, wallboards and deliveries.",
        docs: "notification-routes",
      },
      {
        path: "/runbooks",
        name: "Runbooks",
        key: "j",
        about: "How to verify and remedy each kind of incident.",
        docs: "maintenance",
        also: ["/help"],
      },
    ],
  },
  {
    name: "Settings",
    icon: "settings",
    pages: [
      {
        path: "/settings",
        name: "Settings",
        key: "s",
        about: "Agents, enrolment and storage.",
        docs: "deploy",
      },
    ],
  },
];

/** Pages whose states are those of the moment at which the time range ends. */
export const WITH_PAST: ReadonlySet<string> = new Set([
  "/",
  "/map",
  "/devices",
  "/incidents",
  "/links",
  "/paths",
]);

export const PAGES: readonly RailPage[] = GROUPS.flatMap(({ pages }) => pages);

/** Whether the page at `pathname` belongs to an entry of the navigation. */
export function isHere({ path, also = [] }: Pick<RailPage, "path" | "also">, pathname: string): boolean {
  if (path === "/") return pathname === "/";
  return [path, ...also].some((own) => pathname === own || pathname.startsWith(`${own}/`));
}

/** The only page of a group that is a plain link; undefined if the group unfolds. */
export function soloPage({ name, pages }: RailGroup): RailPage | undefined {
  return pages.length === 1 && pages[0]?.name === name ? pages[0] : undefined;
}

/** `Failover, g p`: where the menu has a page, and its shortcut. */
export function placeOf(page: RailPage): string {
  const group = GROUPS.find(({ pages }) => pages.includes(page))?.name ?? "";
  return [...(group === page.name ? [] : [group]), `g ${page.key}`].join(", ");
}
