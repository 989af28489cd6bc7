/** The pages of the navigation in groups, in its order: the one source of menu, search, shortcuts and help. */
import type { IconName } from "@/ui/Icon";

export interface RailPage {
  readonly path: string;
  readonly name: string;
  /** The second key after `g`. */
  readonly key: string;
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
  { name: "Overview", icon: "overview", pages: [{ path: "/", name: "Overview", key: "o" }] },
  {
    name: "Network",
    icon: "map",
    pages: [
      { path: "/map", name: "Map", key: "m" },
      { path: "/fabrics", name: "Fabrics", key: "f", also: ["/infiniband", "/hippi"] },
      { path: "/devices", name: "Devices", key: "d", also: ["/ports"] },
      { path: "/links", name: "Links", key: "l", also: ["/exports"] },
      { path: "/circuits", name: "Circuits", key: "v" },
      { path: "/clocks", name: "Clocks", key: "k" },
    ],
  },
  {
    name: "Failover",
    icon: "paths",
    pages: [
      { path: "/paths", name: "Paths", key: "p" },
      { path: "/policies", name: "Policies", key: "y" },
      { path: "/changes", name: "Changes", key: "c" },
      { path: "/drift", name: "Drift", key: "t" },
      { path: "/drills", name: "Drills", key: "r" },
    ],
  },
  {
    name: "ARP and neighbours",
    icon: "arp",
    pages: [
      { path: "/arp", name: "ARP", key: "a" },
      { path: "/neighbours", name: "Neighbours", key: "n" },
      { path: "/extension-nodes", name: "Extension nodes", key: "x" },
    ],
  },
  { name: "Tests", icon: "tests", pages: [{ path: "/tests", name: "Tests", key: "b" }] },
  { name: "Capacity", icon: "chart", pages: [{ path: "/hold-time", name: "Hold time", key: "q" }] },
  {
    name: "Incidents and events",
    icon: "incidents",
    pages: [
      { path: "/incidents", name: "Incidents", key: "i" },
      { path: "/events", name: "Events", key: "e" },
      { path: "/maintenance", name: "Maintenance", key: "w" },
      { path: "/rules", name: "Rules", key: "u" },
      { path: "/notifications", name: "Notifications", key: "h" },
      { path: "/runbooks", name: "Runbooks", key: "j" },
    ],
  },
  { name: "Settings", icon: "settings", pages: [{ path: "/settings", name: "Settings", key: "s" }] },
];

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
