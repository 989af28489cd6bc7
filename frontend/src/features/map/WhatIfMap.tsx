/** The map today or after a simulated failure. */

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";

import { topologyQuery } from "@/api/queries";
import type { Impact, Topology } from "@/api/types";
import { ErrorState, Waiting } from "@/ui/ErrorState";
import { type CameraView, hasWebGl } from "@/ui/graph/engine";
import { GraphCanvas } from "@/ui/graph/GraphCanvas";
import { StaticGraph } from "@/ui/graph/StaticGraph";
import { useScheme } from "@/ui/useScheme";
import { siteGroups } from "./nodeGroups";
import { buildMapModel } from "./mapModel";
import { under } from "./overlay";
import { makeScene } from "./scene";
import { Tip } from "./Tip";
import classes from "./WhatIfMap.module.css";

const NONE_OPEN: ReadonlySet<string> = new Set();
const NO_EMPHASIS = { nodes: new Map(), links: new Map(), strokes: new Map() } as const;
const NOTHING_CHANGED = { nodes: new Set<number>(), links: new Set<number>() } as const;

interface Props {
  site: string;
  impact: Impact;
  /** Show the state after the failure; else the current state. */
  after: boolean;
}

export function WhatIfMap({ site, ...view }: Props) {
  const { data, error, refetch } = useQuery(topologyQuery(site));
  if (data !== undefined) return <Drawing topology={data} {...view} />;
  if (error !== null)
    return (
      <ErrorState
        title="The map cannot be displayed"
        message={error.message}
        onRetry={() => void refetch()}
      />
    );
  return <Waiting what="the topology" />;
}

function Drawing({ topology, impact, after }: Omit<Props, "site"> & { topology: Topology }) {
  const scheme = useScheme();
  const [selected, setSelected] = useState<string | null>(null);
  const [camera, setCamera] = useState<CameraView | null>(null);
  const [paints] = useState(hasWebGl);
  const { model, scene } = useMemo(() => {
    const view = after ? under(topology, impact) : { topology, changed: NOTHING_CHANGED };
    const now = buildMapModel(view.topology, NONE_OPEN, siteGroups(view.topology, null));
    return {
      model: now,
      scene: makeScene({
        model: now,
        emphasis: NO_EMPHASIS,
        changed: view.changed,
        rateScale: topology.site.rate_scale,
        stale: false,
      }),
    };
  }, [topology, impact, after]);
  const label = after
    ? `The site when ${impact.kind === "none" ? "nothing" : impact.failure} fails`
    : "Current state";
  return (
    <div>
      <div
        className={classes.box}
        data-testid="what-if-map"
        data-after={after}
        data-cut-off={after ? impact.cut_off.length : 0}
      >
        {paints ? (
          <GraphCanvas
            scene={scene}
            scheme={scheme}
            label={`${label}. Arrow keys move between nodes.`}
            selected={selected}
            onSelect={(hit) => setSelected(hit?.key ?? null)}
            onOpen={(hit) => setSelected(hit.key)}
            camera={camera}
            onCamera={setCamera}
            renderTip={(hit) => <Tip hit={hit} model={model} site={topology.site} stale={false} />}
          />
        ) : (
          <div className={classes.still}>
            <StaticGraph scene={scene} scheme={scheme} label={label} width={560} height={290} />
          </div>
        )}
      </div>
      <p className={`dim ${classes.key}`}>
        <span>red node: isolated or failed</span>
        <span>amber node: uses another gateway</span>
        <span>dashed: down</span>
        <span>halo: differs from the current state</span>
      </p>
    </div>
  );
}
