/** The pages of the navigation, in its order. */
import type { IconName } from "@/ui/Icon";

export interface RailPage {
  readonly path: string;
  readonly name: string;
  readonly icon: IconName;
  /** The second key after `g`. */
  readonly key: string;
  /** Paths of pages that belong to this one and are not below it. */
  readonly also?: readonly string[];
}

export const PAGES: readonly RailPage[] = [
  { path: "/", name: "Overview", icon: "overview", key: "o" },
  { path: "/map", name: "Map", icon: "map", key: "m" },
  { path: "/fabrics", name: "Fabrics", icon: "fabrics", key: "f", also: ["/infiniband", "/hippi"] },
  { path: "/capacity", name: "Will it hold?", icon: "paths", key: "j" },
  { path: "/hold-time", name: "Hold time", icon: "hold", key: "q" },
  { path: "/devices", name: "Devices", icon: "devices", key: "d" },
  { path: "/links", name: "Links", icon: "links", key: "l", also: ["/exports"] },
  { path: "/circuits", name: "Circuits", icon: "circuits", key: "v" },
  { path: "/neighbours", name: "Neighbours", icon: "neighbours", key: "n" },
  { path: "/clocks", name: "Clocks", icon: "clocks", key: "k" },
  { path: "/extension-nodes", name: "Extension nodes", icon: "extension", key: "x" },
  { path: "/paths", name: "Paths", icon: "paths", key: "p" },
  { path: "/policies", name: "Policies", icon: "policies", key: "y" },
  { path: "/arp", name: "ARP", icon: "arp", key: "a" },
  { path: "/tests", name: "Tests", icon: "tests", key: "b" },
  { path: "/changes", name: "Changes", icon: "changes", key: "c" },
  { path: "/drift", name: "Drift", icon: "drift", key: "t" },
  { path: "/drills", name: "Drills", icon: "drills", key: "r" },
  { path: "/incidents", name: "Incidents", icon: "incidents", key: "i", also: ["/runbooks"] },
  { path: "/maintenance", name: "Maintenance", icon: "maintenance", key: "w" },
  { path: "/rules", name: "Rules", icon: "rules", key: "u" },
  { path: "/notifications", name: "Notifications", icon: "notifications", key: "h" },
  { path: "/events", name: "Events", icon: "events", key: "e" },
  { path: "/settings", name: "Settings", icon: "settings", key: "s" },
];
