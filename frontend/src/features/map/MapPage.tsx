/** The map of a site's networks: the live picture or its table, filters, legend, and what is chosen at the side. */

import { useMemo } from "react";
import { useNavigate } from "react-router";

import { carry, useSite } from "@/api/scope";
import type { Site, Topology } from "@/api/types";
import { ErrorState, EmptyState, Waiting } from "@/ui/ErrorState";
import { hasWebGl } from "@/ui/graph/engine";
import { GraphCanvas } from "@/ui/graph/GraphCanvas";
import type { Hit, Scene } from "@/ui/graph/scene";
import { PageHeader } from "@/ui/PageHeader";
import { useScheme } from "@/ui/useScheme";
import { asksForLinks, asksForPaths, countMatching, type Standing, standing } from "./asked";
import { Details } from "./Details";
import { draw, type Drawn } from "./drawn";
import { Filters } from "./Filters";
import { headline } from "./headline";
import { Legend } from "./Legend";
import { LinkList } from "./LinkList";
import classes from "./MapPage.module.css";
import { placeMemory } from "./memory";
import { makeScene } from "./scene";
import { TableTwin } from "./TableTwin";
import { Tip } from "./Tip";
import { type MapData, useMapData } from "./useMapData";
import { type MapState, useMapState } from "./useMapState";

export function MapPage() {
  const site = useSite();
  return site === undefined ? <Waiting what="the sites" /> : <SiteMap key={site.name} site={site} />;
}

function SiteMap({ site }: { site: Site }) {
  const data = useMapData(site);
  if (data.topology) return <LiveMap topology={data.topology} data={data} />;
  if (data.error)
    return <ErrorState title="The map cannot be drawn" message={data.error.message} onRetry={data.retry} />;
  return <Waiting what="the topology" />;
}

function LiveMap({ topology, data }: { topology: Topology; data: MapData }) {
  const state = useMapState();
  const { asked, open } = state;
  const drawn = useMemo(() => draw(topology, open), [topology, open]);
  const stands = useMemo(() => standing(drawn, asked, data.paths), [drawn, asked, data.paths]);
  const { changed, stale } = data;
  const scene = useMemo(
    () => makeScene({ drawn, standing: stands, changed, rateScale: topology.site.rate_scale, stale }),
    [drawn, stands, changed, topology.site.rate_scale, stale],
  );
  if (topology.nodes.length === 0) {
    return (
      <EmptyState title={`Nothing is known of ${topology.site.name} yet`}>
        Import its site file: <code>manage.py import_site FILE</code>
      </EmptyState>
    );
  }
  const matching = asksForLinks(asked) && !asksForPaths(asked) ? countMatching(drawn, asked) : null;
  const shown = { drawn, scene, standing: stands, topology, state, data };
  return (
    <div className={classes.page} data-testid="map">
      <div className={classes.head}>
        <PageHeader title="Map" headline={headline(topology, drawn, data.paths, stale)} />
        <Filters topology={topology} data={data} state={state} drawn={drawn} matching={matching} />
      </div>
      {state.table ? <Twin {...shown} /> : <Picture {...shown} />}
      {!state.table && <LinkList links={topology.links} stale={stale} />}
    </div>
  );
}

interface PictureProps {
  drawn: Drawn;
  scene: Scene;
  standing: Standing;
  topology: Topology;
  state: MapState;
  data: MapData;
}

const canPaint = (() => {
  let answer: boolean | null = null;
  return (): boolean => (answer ??= hasWebGl());
})();

function Twin({ drawn, standing: stands, topology, state, data }: PictureProps) {
  return (
    <TableTwin drawn={drawn} standing={stands} asked={state.asked} site={topology.site} stale={data.stale} />
  );
}

function Picture(props: PictureProps) {
  const { drawn, scene, topology, state, data } = props;
  const scheme = useScheme();
  const navigate = useNavigate();
  const memory = useMemo(() => placeMemory(window.localStorage, topology.site.name), [topology.site.name]);
  if (!canPaint()) return <NoWebGl {...props} />;
  const open = (hit: Hit): void => {
    const found = [...drawn.nodes, ...drawn.links].find(({ key }) => key === hit.key);
    const role = drawn.nodes.find(({ key, kind }) => key === hit.key && kind === "group")?.role;
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
            label={`Networks of ${topology.site.title || topology.site.name}. Arrow keys walk from node to node, Enter opens, plus and minus zoom, zero shows all. The table holds the same figures.`}
            selected={state.selected}
            onSelect={(hit) => state.select(hit?.key ?? null)}
            onOpen={open}
            camera={state.camera}
            onCamera={state.setCamera}
            renderTip={(hit) => <Tip hit={hit} drawn={drawn} site={topology.site} stale={data.stale} />}
            memory={memory}
          />
        </div>
        <Legend scheme={scheme} drawn={drawn} rateScale={topology.site.rate_scale} />
      </div>
      <Details drawn={drawn} site={topology.site} state={state} stale={data.stale} />
    </div>
  );
}

function NoWebGl(props: PictureProps) {
  return (
    <>
      <EmptyState title="This browser does not paint with WebGL, so the map is shown as a table">
        The figures are the same and live. Turn on hardware acceleration or WebGL in the browser to see the
        picture.
      </EmptyState>
      <Twin {...props} />
    </>
  );
}
