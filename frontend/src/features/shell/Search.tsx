/** Search for nodes, links and pages by name, opened by Ctrl-K. */
import { createSpotlight, Spotlight, useSpotlight } from "@mantine/spotlight";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useLocation, useNavigate } from "react-router";
import { topologyQuery } from "@/api/queries";
import { carry, useSite } from "@/api/scope";
import type { Topology } from "@/api/types";
import { PAGES, placeOf } from "./pages";
import { rate } from "@/util/units";
import { compare } from "@/util/compare";
import "@mantine/spotlight/styles.css";

const [store, search] = createSpotlight();

export const openSearch = search.open;

const LIST = "search-results";

/** Name of the report page of a technology. */
const REPORTS: Readonly<Record<string, string>> = { infiniband: "health", hippi: "blocking" };

/** Of a closed search: a large site has 30,000 targets. */
const NO_TARGETS: readonly Target[] = [];

function targetsOf(topology: Topology | undefined): Target[] {
  const pages = PAGES.map((page): Target => ({
    kind: "page",
    name: page.name,
    detail: `page, ${placeOf(page)}`,
    url: page.path,
  }));
  const nodes = (topology?.nodes ?? []).map(({ name, title, url }): Target => ({
    kind: "node",
    name,
    detail: title,
    url,
  }));
  const links = (topology?.links ?? []).map(({ name, fabric, usable_rate, url }): Target => ({
    kind: "link",
    name,
    detail: `${fabric}, ${rate(usable_rate)}`,
    url,
  }));
  const reports = (topology?.nodes ?? []).flatMap(({ kind, role, name, id }): Target[] =>
    kind === "fabric" && role in REPORTS
      ? [{ kind: "page", name: `${name} ${REPORTS[role]}`, detail: "report", url: `/${role}/${id}` }]
      : [],
  );
  return [...pages, ...reports, ...nodes, ...links];
}

/** `text`: what is searched for, which a page may set. */
export function Search({ text, onText }: { text: string; onText: (text: string) => void }) {
  const site = useSite();
  const { data: topology } = useQuery({ ...topologyQuery(site?.name ?? ""), enabled: site !== undefined });
  const { opened, selected } = useSpotlight(store);
  const navigate = useNavigate();
  const { search: params } = useLocation();
  const version = topology && `${topology.site.name} ${topology.version}`;
  const targets = useMemo(
    () => (opened ? targetsOf(topology) : NO_TARGETS),
    // `version` replaces names, which load messages do not change.
    // oxlint-disable-next-line react/exhaustive-deps
    [opened, version],
  );
  const found = find(targets, text);
  return (
    <Spotlight.Root
      store={store}
      query={text}
      onQueryChange={onText}
      shortcut={null}
      lockScroll={false}
      transitionProps={{ duration: 0 }}
      attributes={{ content: { "aria-label": "Search" } }}
    >
      <Spotlight.Search
        role="combobox"
        aria-expanded="true"
        aria-controls={LIST}
        aria-activedescendant={found.length > 0 ? `${LIST}-${Math.max(0, selected)}` : undefined}
        aria-label="Find a node, link or page"
        placeholder="Find a node, link or page"
      />
      <Spotlight.ActionsList id={LIST} role="listbox" aria-label="Results">
        {found.map(({ kind, name, detail, url }, index) => (
          <Spotlight.Action
            key={`${kind} ${url}`}
            id={`${LIST}-${index}`}
            role="option"
            aria-selected={index === Math.max(0, selected)}
            label={name}
            description={detail}
            onClick={() => void navigate(carry(url, params))}
          />
        ))}
      </Spotlight.ActionsList>
      {found.length === 0 && (
        <Spotlight.Empty>
          No match for “{text}” at {site?.name ?? "this site"}.
        </Spotlight.Empty>
      )}
    </Spotlight.Root>
  );
}

export interface Target {
  readonly kind: "page" | "node" | "link";
  readonly name: string;
  readonly detail: string;
  readonly url: string;
}

/** Every term must occur; names that start with the first term come first, then names that contain it, then details. */
export function find(targets: readonly Target[], text: string, most = 12): Target[] {
  const terms = text.toLowerCase().split(/\s+/).filter(Boolean);
  const first = terms[0];
  if (first === undefined) return targets.filter(({ kind }) => kind === "page").slice(0, most);
  return targets
    .filter(({ name, detail }) => terms.every((term) => `${name} ${detail}`.toLowerCase().includes(term)))
    .map((target) => ({ target, rank: rank(target, first) }))
    .sort((a, b) => a.rank - b.rank || compare(a.target.name, b.target.name))
    .slice(0, most)
    .map(({ target }) => target);
}

function rank({ name }: Target, term: string): number {
  const at = name.toLowerCase().indexOf(term);
  return at === 0 ? 0 : at > 0 ? 1 : 2;
}
