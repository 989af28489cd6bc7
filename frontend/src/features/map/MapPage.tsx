/** The map page: live map or table, filters, legend and details of the selection. */
import { useMemo, useRef, useState, type ReactNode } from "react";
import { useNavigate } from "react-router";
import { carry, REPLAY, useParam, usePast, useSite } from "@/api/scope";
import type { Site, Topology } from "@/api/types";
import { hasLinkFilter, hasPathFilter, countMatching, type EmphasisMap, emphasize } from "./mapFilters";
import { Details } from "./Details";
import { type MapModel, type MapNode, modelBuilder } from "./mapModel";
import { Filters } from "./Filters";
import { groupKey, type Groups } from "./nodeGroups";
import { headline } from "./headline";
import { Legend } from "./legend/Legend";
import { LinkList } from "./LinkList";
import classes from "./MapPage.module.css";
import { placeMemory } from "./memory";
import { Replay, ReplayButton } from "./replay/Replay";
import { RouteNote, useMapRoute } from "./route/MapRoute";
import { searchedGroups, selectedGroups } from "./groupSearch";
import { sceneBuilder } from "./scene";
import { MapTables } from "./MapTables";
import { Tip } from "./Tip";
import { useGroups } from "./useGroups";
import { type MapData, useMapData, usePastMapData } from "./useMapData";
import { type MapState, useMapState } from "./useMapState";
import { ErrorState, EmptyState, Waiting } from "@/ui/ErrorState";
import { hasWebGl } from "@/ui/graph/engine";
import { GraphCanvas } from "@/ui/graph/GraphCanvas";
import type { Hit, Scene } from "@/ui/graph/scene";
import { PageHeader } from "@/ui/PageHeader";
import { useScheme } from "@/ui/useScheme";

export function MapPage() {
  const site = useSite();
  const past = usePast();
  if (site === undefined) return <Waiting what="the sites" />;
  return past === null ? (
    <PresentMap key={site.name} site={site} />
  ) : (
    <PastMap key={`${site.name} past`} site={site} at={past.at} />
  );
}

function PresentMap({ site }: { site: Site }) {
  const state = useMapState();
  return <SiteMap data={useMapData(site, state.filters)} state={state} />;
}

function PastMap({ site, at }: { site: Site; at: string }) {
  const [replayed] = useParam(REPLAY, "");
  return (
    <SiteMap
      data={usePastMapData(site, at)}
      state={useMapState()}
      replay={replayed === "" ? null : <Replay site={site.name} at={at} />}
    />
  );
}

interface SiteMapProps {
  data: MapData;
  state: MapState;
  /** The bar of a replay, above the picture. */
  replay?: ReactNode;
}

function SiteMap({ data, state, replay = null }: SiteMapProps) {
  if (data.topology) return <DrawnMap topology={data.topology} data={data} state={state} replay={replay} />;
  if (data.error)
    return (
      <ErrorState title="The map cannot be displayed" message={data.error.message} onRetry={data.retry} />
    );
  return <Waiting what="the topology" />;
}

/** The groups to draw open, and the one that a search found. */
function useOpenGroups(topology: Topology, groups: Groups, state: MapState) {
  const { open, selected, filters } = state;
  const { search, node } = filters;
  const { version } = topology;
  const named = useMemo(
    () => ({
      selected: selectedGroups(topology, groups, { selected, filters: { search, node } }),
      searched: searchedGroups(topology, groups, search),
    }),
    // `version` replaces nodes and links.
    // oxlint-disable-next-line react/exhaustive-deps
    [version, groups, selected, search, node],
  );
  const all = [...open, ...named.selected, ...named.searched].filter((id) => groups.names.has(id));
  const key = [...new Set(all)].toSorted().join(",");
  return { ...named, open: useMemo(() => new Set(key.split(",").filter((id) => id !== "")), [key]) };
}

/** The model and the scene; both reuse what did not change since the last render. */
function useScene(
  topology: Topology,
  data: MapData,
  open: ReadonlySet<string>,
  groups: Groups,
  state: MapState,
  route: readonly number[] | null,
) {
  const { filters } = state;
  const [buildModel] = useState(modelBuilder);
  const [buildScene] = useState(sceneBuilder);
  const model = useMemo(() => buildModel(topology, open, groups), [buildModel, topology, open, groups]);
  const emphasis = useMemo(
    () => emphasize(model, filters, data.paths, route),
    [model, filters, data.paths, route],
  );
  const { changed, stale } = data;
  const rateScale = topology.site.rate_scale;
  const scene = useMemo(
    () => buildScene({ model, emphasis, changed, rateScale, stale }),
    [buildScene, model, emphasis, changed, rateScale, stale],
  );
  return { model, emphasis, scene };
}

function DrawnMap({ topology, data, state, replay }: SiteMapProps & { topology: Topology }) {
  const { filters } = state;
  const { stale } = data;
  const route = useMapRoute(topology.site.name);
  const grouping = useGroups(topology, state.groupBy);
  const { groups } = grouping;
  const opened = useOpenGroups(topology, groups, state);
  const { model, emphasis, scene } = useScene(topology, data, opened.open, groups, state, route.links);
  if (topology.nodes.length === 0) {
    return (
      <EmptyState title={`${topology.site.name} has no topology yet`}>
        Import its site file: <code>manage.py import_site FILE</code>
      </EmptyState>
    );
  }
  const matching = hasLinkFilter(filters) && !hasPathFilter(filters) ? countMatching(model, filters) : null;
  const content = { model, scene, emphasis, topology, state, data, opened };
  return (
    <div className={classes.page} data-testid="map">
      <div className={classes.head}>
        <PageHeader title="Map" headline={headline(topology, data.headlinePaths, stale)}>
          <ReplayButton />
        </PageHeader>
        <Filters
          topology={topology}
          data={data}
          state={state}
          model={model}
          matching={matching}
          grouping={grouping}
        />
        <RouteNote route={route} />
      </div>
      {replay}
      {state.table ? <Twin {...content} /> : <Picture {...content} />}
      {!state.table && <LinkList links={topology.links} model={model} stale={stale} />}
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
  /** Groups opened by the selection and by the search. */
  opened: { readonly selected: readonly string[]; readonly searched: readonly string[] };
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
      version={topology.version}
      stale={data.stale}
    />
  );
}

/** Between the clicks of a double click, at most. */
const DOUBLE_CLICK_MS = 500;

function Picture(props: PictureProps) {
  const { model, scene, topology, state, data } = props;
  const scheme = useScheme();
  const navigate = useNavigate();
  const memory = useMemo(() => placeMemory(window.localStorage, topology.site.name), [topology.site.name]);
  const { selected, searched } = props.opened;
  // A link to a node shows its group, unless the link has a camera.
  const [opened, setOpened] = useState(() => (state.camera === null ? (selected[0] ?? null) : null));
  const revealed = searched[0] ?? opened;
  const openedAt = useRef(-DOUBLE_CLICK_MS);
  if (!canPaint()) return <NoWebGl {...props} />;
  const toggle = (node: MapNode): void => {
    if (node.group === null) return;
    const isOpen = node.box === node.key;
    setOpened(isOpen ? null : node.group);
    openedAt.current = performance.now();
    if (isOpen) state.close(node.group, node.key, model.inPlace);
    else if (model.inPlace) state.expand(node.group, node.key);
    else state.setOpen([...state.open, node.group]);
  };
  const select = (hit: Hit | null, byPointer: boolean): void => {
    const node = byPointer ? model.nodeOf.get(hit?.key ?? "") : undefined;
    if (model.inPlace && node?.kind === "group" && node.box === null) toggle(node);
    else state.select(hit?.key ?? null);
  };
  const open = (hit: Hit): void => {
    // The second click on a group that the first one opened: something else is there now.
    if (performance.now() - openedAt.current < DOUBLE_CLICK_MS) return;
    const node = model.nodeOf.get(hit.key);
    const url = node?.url ?? model.linkOf.get(hit.key)?.url;
    if (node?.kind === "group") toggle(node);
    else if (url) void navigate(carry(url, window.location.search));
  };
  return (
    <div className={classes.body}>
      <div className={classes.picture}>
        <div className={classes.canvas}>
          <GraphCanvas
            scene={scene}
            scheme={scheme}
            label={`Networks of ${topology.site.title || topology.site.name}. Arrow keys move between nodes, Enter opens a page, and opens or closes a group, plus and minus zoom, zero shows everything. The table shows the same values.`}
            selected={state.selected}
            onSelect={select}
            onOpen={open}
            camera={state.camera}
            onCamera={state.setCamera}
            renderTip={(hit) => <Tip hit={hit} model={model} site={topology.site} stale={data.stale} />}
            memory={memory}
            reveal={revealed === null ? null : groupKey(revealed)}
          />
        </div>
        <Legend scheme={scheme} model={model} rateScale={topology.site.rate_scale} />
      </div>
      <Details model={model} site={topology.site} state={state} stale={data.stale} onToggle={toggle} />
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
