/** The map page: live map or table, filters, legend and details of the selection. */
import { useMemo, memo, useDeferredValue } from "react";
import { useNavigate } from "react-router";
import { carry, useSite } from "@/api/scope";
import type { Site, Topology, TopologyLink } from "@/api/types";
import { hasLinkFilter, hasPathFilter, countMatching, type EmphasisMap, emphasize } from "./mapFilters";
import { Details } from "./Details";
import { buildMapModel, type MapModel } from "./mapModel";
import { Filters } from "./Filters";
import { headline } from "./headline";
import { Legend } from "./Legend";
import classes from "./MapPage.module.css";
import { placeMemory } from "./memory";
import { makeScene } from "./scene";
import { MapTables } from "./MapTables";
import { Tip } from "./Tip";
import { type MapData, useMapData } from "./useMapData";
import { type MapState, useMapState } from "./useMapState";
import { ErrorState, EmptyState, Waiting } from "@/ui/ErrorState";
import { hasWebGl } from "@/ui/graph/engine";
import { GraphCanvas } from "@/ui/graph/GraphCanvas";
import type { Hit, Scene } from "@/ui/graph/scene";
import { PageHeader } from "@/ui/PageHeader";
import { useScheme } from "@/ui/useScheme";
import { percent } from "@/util/units";
import { factSpec } from "@/ui/FactMark";

export function MapPage() {
  const site = useSite();
  return site === undefined ? <Waiting what="the sites" /> : <SiteMap key={site.name} site={site} />;
}

function SiteMap({ site }: { site: Site }) {
  const data = useMapData(site);
  if (data.topology) return <LiveMap topology={data.topology} data={data} />;
  if (data.error)
    return (
      <ErrorState title="The map cannot be displayed" message={data.error.message} onRetry={data.retry} />
    );
  return <Waiting what="the topology" />;
}

function LiveMap({ topology, data }: { topology: Topology; data: MapData }) {
  const state = useMapState();
  const { filters, open } = state;
  const model = useMemo(() => buildMapModel(topology, open), [topology, open]);
  const emphasis = useMemo(() => emphasize(model, filters, data.paths), [model, filters, data.paths]);
  const { changed, stale } = data;
  const scene = useMemo(
    () => makeScene({ model, emphasis, changed, rateScale: topology.site.rate_scale, stale }),
    [model, emphasis, changed, topology.site.rate_scale, stale],
  );
  if (topology.nodes.length === 0) {
    return (
      <EmptyState title={`${topology.site.name} has no topology yet`}>
        Import its site file: <code>manage.py import_site FILE</code>
      </EmptyState>
    );
  }
  const matching = hasLinkFilter(filters) && !hasPathFilter(filters) ? countMatching(model, filters) : null;
  const content = { model, scene, emphasis, topology, state, data };
  return (
    <div className={classes.page} data-testid="map">
      <div className={classes.head}>
        <PageHeader title="Map" headline={headline(topology, model, data.paths, stale)} />
        <Filters topology={topology} data={data} state={state} model={model} matching={matching} />
      </div>
      {state.table ? <Twin {...content} /> : <Picture {...content} />}
      {!state.table && <LinkList links={topology.links} stale={stale} />}
    </div>
  );
}

interface PictureProps {
  model: MapModel;
  scene: Scene;
  emphasis: EmphasisMap;
  topology: Topology;
  state: MapState;
  data: MapData;
}

const canPaint = (() => {
  let answer: boolean | null = null;
  return (): boolean => (answer ??= hasWebGl());
})();

function Twin({ model, emphasis, topology, state, data }: PictureProps) {
  return (
    <MapTables
      model={model}
      emphasis={emphasis}
      filters={state.filters}
      site={topology.site}
      stale={data.stale}
    />
  );
}

function Picture(props: PictureProps) {
  const { model, scene, topology, state, data } = props;
  const scheme = useScheme();
  const navigate = useNavigate();
  const memory = useMemo(() => placeMemory(window.localStorage, topology.site.name), [topology.site.name]);
  if (!canPaint()) return <NoWebGl {...props} />;
  const open = (hit: Hit): void => {
    const found = [...model.nodes, ...model.links].find(({ key }) => key === hit.key);
    const role = model.nodes.find(({ key, kind }) => key === hit.key && kind === "group")?.role;
    if (role !== undefined) state.setOpen([...state.open, role]);
    else if (found?.url) void navigate(carry(found.url, window.location.search));
  };
  return (
    <div className={classes.body}>
      <div className={classes.picture}>
        <div className={classes.canvas}>
          <GraphCanvas
            scene={scene}
            scheme={scheme}
            label={`Networks of ${topology.site.title || topology.site.name}. Arrow keys move between nodes, Enter opens, plus and minus zoom, zero shows everything. The table shows the same values.`}
            selected={state.selected}
            onSelect={(hit) => state.select(hit?.key ?? null)}
            onOpen={open}
            camera={state.camera}
            onCamera={state.setCamera}
            renderTip={(hit) => <Tip hit={hit} model={model} site={topology.site} stale={data.stale} />}
            memory={memory}
          />
        </div>
        <Legend scheme={scheme} model={model} rateScale={topology.site.rate_scale} />
      </div>
      <Details model={model} site={topology.site} state={state} stale={data.stale} />
    </div>
  );
}

function NoWebGl(props: PictureProps) {
  return (
    <>
      <EmptyState title="WebGL is not available, so the map is shown as a table">
        The table shows the same live values. Enable hardware acceleration or WebGL in the browser to see the
        map.
      </EmptyState>
      <Twin {...props} />
    </>
  );
}

interface Props {
  links: readonly TopologyLink[];
  stale: boolean;
}

const NOT_YET: Props["links"] = [];

/** Rendered deferred so that the map never waits for it. */
function LinkList({ links, stale }: Props) {
  return <List links={useDeferredValue(links, NOT_YET)} stale={stale} />;
}

const List = memo(function List({ links, stale }: Props) {
  return (
    <ul className={`visually-hidden ${classes.linkList}`} aria-label="Links on the map">
      {links.map((link) => (
        <Item key={link.id} link={link} stale={stale} />
      ))}
    </ul>
  );
});

/** Memoized: a live message changes few links. */
const Item = memo(function Item({ link, stale }: { link: TopologyLink; stale: boolean }) {
  const share = (load: TopologyLink["forward"]): number | null =>
    load?.fresh === true && !stale ? load.utilisation : null;
  const [forward, back] = [share(link.forward), share(link.back)];
  const state = stale ? "unknown" : link.state;
  return (
    <li
      data-link-id={link.id}
      data-name={link.name}
      data-forward={forward ?? ""}
      data-back={back ?? ""}
      data-carries={link.carries}
      data-carrier={link.carrier}
      data-state={state}
    >
      {link.name}: {state}, {factSpec("link_use", link.carries).label},{" "}
      {forward === null ? "no current data" : percent(forward)} out,{" "}
      {back === null ? "no current data" : percent(back)} back
    </li>
  );
});
