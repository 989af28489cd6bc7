/** What the search finds without the server: pages, documents, runbooks and actions; and recent choices. */
import { PAGES, placeOf } from "./pages";
import { compare } from "@/util/compare";
import { incident_kinds } from "@/util/spec.json";
import type { components } from "@/api/schema";

type SearchResult = components["schemas"]["SearchResult"];

export interface Target {
  readonly kind: string;
  readonly name: string;
  readonly detail: string;
  readonly url: string;
}

export type Theme = "light" | "dark" | "auto";

const action = (name: string, detail: string, url: string): Target => ({
  kind: "action",
  name,
  detail: `action, ${detail}`,
  url,
});

/** An action whose address starts so changes the theme. */
const THEME = "#theme=";

/** The theme that the target chooses; undefined: it is a page. */
export function themeOf({ url }: Target): Theme | undefined {
  return url.startsWith(THEME) ? (url.slice(THEME.length) as Theme) : undefined;
}

export const THEMES: readonly Target[] = [
  action("Light theme", "appearance", `${THEME}light`),
  action("Dark theme", "appearance", `${THEME}dark`),
  action("System theme", "appearance", `${THEME}auto`),
];

/** Of operators. */
export const ACTIONS: readonly Target[] = [
  action("New policy", "failover", "/policies/new"),
  action("New change", "plan and apply policies", "/policies"),
  action("Start a drill", "failover on purpose", "/drills"),
  action("Snooze an incident", "acknowledge, assign", "/incidents"),
  action("Plan maintenance", "new window", "/maintenance/new"),
  action("New throughput test", "test plan", "/tests/plans/new"),
  action("New channel", "notifications", "/notifications/channels/new"),
  action("New notification route", "notifications", "/notifications/routes/new"),
  action("New on-call schedule", "notifications", "/notifications/schedules/new"),
  action("New wallboard", "screen without sign-in", "/notifications/wallboards/new"),
  action("Plan circuits", "PVC, VLAN", "/circuits/plan"),
  action("Attach an extension node", "gateway at the switch", "/extension-nodes/attach"),
  action("Enrol an agent", "settings", "/settings/agents"),
];

const PAGE_TARGETS: readonly Target[] = [
  ...PAGES.map((page) => ({
    kind: "page",
    name: page.name,
    detail: `page, ${placeOf(page)}`,
    url: page.path,
  })),
  { kind: "page", name: "Agents", detail: "page, settings", url: "/settings/agents" },
  { kind: "page", name: "Storage", detail: "page, settings", url: "/settings/storage" },
  { kind: "page", name: "Channels", detail: "page, notifications", url: "/notifications/channels" },
  { kind: "page", name: "Deliveries", detail: "page, notifications", url: "/notifications/deliveries" },
  { kind: "page", name: "Forecast", detail: "page, capacity", url: "/capacity/forecast" },
  { kind: "page", name: "What if", detail: "page, capacity", url: "/capacity/what-if" },
  { kind: "page", name: "Path between two nodes", detail: "page, failover", url: "/paths/between" },
];

/** `gateway-load` is `Gateway load`. */
const titleOf = (name: string) => `${name[0]?.toUpperCase()}${name.slice(1).replaceAll("-", " ")}`;

const DOCUMENTS: readonly Target[] = [...new Set(PAGES.map(({ docs }) => docs))].map((name) => ({
  kind: "document",
  name: titleOf(name),
  detail: `documentation, ${PAGES.filter(({ docs }) => docs === name)
    .map((page) => page.name)
    .join(", ")}`,
  url: `/help/${name}`,
}));

/** Those of a kind of incident; the page of all runbooks lists the others. */
const RUNBOOKS: readonly Target[] = [...new Set(incident_kinds.map(({ runbook }) => runbook))].map(
  (name) => ({
    kind: "runbook",
    name: titleOf(name),
    detail: `runbook, ${incident_kinds
      .filter(({ runbook }) => runbook === name)
      .map(({ title }) => title)
      .join(", ")}`,
    url: `/runbooks/${name}`,
  }),
);

/** `canOperate`: actions that change something are offered. */
export const localTargets = (canOperate: boolean): Target[] => [
  ...PAGE_TARGETS,
  ...(canOperate ? ACTIONS : []),
  ...THEMES,
  ...DOCUMENTS,
  ...RUNBOOKS,
];

/** An object that the server found, with why it matched. */
export const targetOf = ({ kind, name, detail, why, url }: SearchResult): Target => ({
  kind,
  name,
  detail: [kind, detail, why].filter(Boolean).join(", "),
  url,
});

/** The report page of a fabric, where its technology has one. */
export function reportOf({ kind, name, detail, url }: SearchResult): Target[] {
  const technology = /^(infiniband|hippi)\b/.exec(detail)?.[1];
  if (kind !== "fabric" || technology === undefined) return [];
  const report = technology === "hippi" ? "blocking" : "health";
  return [
    {
      kind: "page",
      name: `${name} ${report}`,
      detail: "report",
      url: url.replace("/fabrics/", `/${technology}/`),
    },
  ];
}

/** Every term must occur, else be one typing error from a word of the name; names that start with it come first. */
export function find(targets: readonly Target[], text: string, most = 12): Target[] {
  const terms = text.toLowerCase().split(/\s+/).filter(Boolean);
  const first = terms[0];
  if (first === undefined) return targets.filter(({ kind }) => kind === "page").slice(0, most);
  const exact = targets.filter((target) => terms.every((term) => textOf(target).includes(term)));
  const close = (target: Target) =>
    terms.every((term) => termsOf(target.name).some((own) => isClose(own, term)));
  return (exact.length > 0 ? exact : targets.filter(close))
    .map((target) => ({ target, rank: rank(target, first) }))
    .sort((a, b) => a.rank - b.rank || compare(a.target.name, b.target.name))
    .slice(0, most)
    .map(({ target }) => target);
}

const textOf = ({ name, detail }: Target) => `${name} ${detail}`.toLowerCase();
const termsOf = (name: string) => name.toLowerCase().split(/\s+/);

function rank({ name }: Target, term: string): number {
  const at = name.toLowerCase().indexOf(term);
  return at === 0 ? 0 : at > 0 ? 1 : 2;
}

const SHORTEST = 4;

/** One letter added, left out, replaced, or two exchanged; short words must be equal. */
export function isClose(name: string, typed: string): boolean {
  if (name === typed) return true;
  if (Math.min(name.length, typed.length) < SHORTEST || Math.abs(name.length - typed.length) > 1)
    return false;
  let at = 0;
  while (name[at] === typed[at]) at += 1;
  const [rest, other] = [name.slice(at), typed.slice(at)];
  return (
    rest.slice(1) === other.slice(1) ||
    rest.slice(1) === other ||
    rest === other.slice(1) ||
    (rest[0] === other[1] && rest[1] === other[0] && rest.slice(2) === other.slice(2))
  );
}

export const MOST_RECENT = 8;

/** The newest choice first, each once. */
export const withRecent = (recents: readonly Target[], chosen: Target): Target[] =>
  [chosen, ...recents.filter(({ url }) => url !== chosen.url)].slice(0, MOST_RECENT);
